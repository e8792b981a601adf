import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { FailedPage } from '../components/feedback/failed-page.tsx';
import { DownloadError, reloadDocument } from '../session/offline.ts';

/** Replaces a page that failed. Everything around it keeps working. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    if (error instanceof DownloadError) {
      void reloadDocument();
      return;
    }
    reset();
    void router.invalidate();
  };
  return <FailedPage error={error} retry={retry} />;
}
