import { GatehouseError } from '@gatehouse/client';
import type { ReactNode } from 'react';
import type { Icon } from '../icons/icon.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { DetailsSkeleton, PageSkeleton } from '../layout/skeletons.tsx';
import { FailedPage } from './failed-page.tsx';

interface ObjectPageProps<Saved> {
  query: ObjectQuery<Saved>;
  /** A link to the list that the object belongs to. */
  back: ReactNode;
  /** What is shown if the object does not exist, or no longer. */
  missing: MissingObject;
  /** The page with the loaded object. */
  children: (saved: Saved) => ReactNode;
}

interface ObjectQuery<Saved> {
  readonly data: Saved | undefined;
  readonly error: Error | null;
  refetch(): unknown;
}

interface MissingObject {
  /** The error code that says so. */
  code: string;
  icon: Icon;
  title: string;
  text: string;
}

/** The page of one object. Until it is loaded a placeholder; otherwise what went wrong, and the way back to the list. */
export function ObjectPage<Saved>({ query, back, missing, children }: ObjectPageProps<Saved>) {
  const { data, error, refetch } = query;
  if (isMissing(error, missing.code)) {
    const { icon, title, text } = missing;
    return (
      <EmptyState icon={icon} title={title} action={back} order={1}>
        {text}
      </EmptyState>
    );
  }
  if (data !== undefined) return children(data);
  if (error) return <FailedPage error={error} retry={() => refetch()} back={back} />;
  return (
    <PageSkeleton>
      <DetailsSkeleton />
    </PageSkeleton>
  );
}

/** An id in the URL that cannot be one is not valid for the server. */
function isMissing(error: Error | null, code: string): boolean {
  return error instanceof GatehouseError && (error.code === code || error.code === 'invalid_request');
}
