/** A member or an access group whose page was opened. */
export interface RecentPage {
  readonly type: 'member' | 'group';
  readonly id: string;
}

const maxPages = 6;
/** Of an id. A URL that was typed may contain anything, such as an email address. */
const idForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The pages that the operator opened last, newest first, as saved in this browser: ids only, no names. */
export function recentPages(operatorId: string): RecentPage[] {
  return readPages(localStorage.getItem(storageName(operatorId)));
}

export function addRecentPage(operatorId: string, page: RecentPage): void {
  if (!isPage(page)) return;
  const others = recentPages(operatorId).filter(({ id }) => id !== page.id);
  localStorage.setItem(storageName(operatorId), JSON.stringify([page, ...others].slice(0, maxPages)));
}

/** Reads what is saved. Others could have changed it. */
export function readPages(saved: string | null): RecentPage[] {
  try {
    const pages: unknown = JSON.parse(saved ?? '[]');
    return Array.isArray(pages) ? pages.filter(isPage).slice(0, maxPages) : [];
  } catch {
    return [];
  }
}

function isPage(value: unknown): value is RecentPage {
  const page = value as Partial<RecentPage> | null;
  return (page?.type === 'member' || page?.type === 'group') && idForm.test(String(page.id));
}

/** An operator is one person on one site. */
function storageName(operatorId: string): string {
  return `gatehouse-recent-${operatorId}`;
}
