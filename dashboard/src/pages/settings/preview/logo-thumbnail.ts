import { useEffect, useState } from 'react';

/** Twice the size of a logo on the pages, for high-resolution screens. */
const maxSize = { width: 288, height: 96 };
/** The maximum that the server accepts in a URL. */
const maxLength = 5_500;
const tries = [1, 0.75, 0.5, 0.35, 0.25].flatMap((scale) =>
  [
    ['image/webp', 0.8],
    // For browsers that cannot encode WebP.
    ['image/png', 1],
  ].map(([type, quality]) => ({ scale, type: type as string, quality: quality as number })),
);

/** A copy of a new logo (a `data:` URL) that is small enough for a URL; undefined until it is ready. */
export function useThumbnail(logo: string | null | undefined): string | undefined {
  const [thumbnail, setThumbnail] = useState<{ of: string; url: string | undefined }>();
  useEffect(() => {
    if (!logo) return;
    let isWanted = true;
    void toThumbnail(logo).then((url) => isWanted && setThumbnail({ of: logo, url }));
    return () => {
      isWanted = false;
    };
  }, [logo]);
  return thumbnail?.of === logo ? thumbnail?.url : undefined;
}

/** Undefined if the file is not an image. The server reports that when it is saved. */
async function toThumbnail(logo: string): Promise<string | undefined> {
  if (logo.length <= maxLength) return logo;
  const image = new Image();
  image.src = logo;
  try {
    await image.decode();
  } catch {
    return undefined;
  }
  const fit = Math.min(maxSize.width / image.naturalWidth, maxSize.height / image.naturalHeight, 1);
  for (const { scale, type, quality } of tries) {
    const url = draw(image, fit * scale, type, quality);
    if (url.startsWith(`data:${type}`) && url.length <= maxLength) return url;
  }
  return undefined;
}

function draw(image: HTMLImageElement, scale: number, type: string, quality: number): string {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL(type, quality);
}
