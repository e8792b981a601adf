import { Skeleton, Stack } from '@mantine/core';

/** A placeholder for rows that are loading. */
export function RowsSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <Stack gap="sm" aria-busy>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={40} radius="md" />
      ))}
    </Stack>
  );
}

/** A placeholder for a page that is loading. */
export function PageSkeleton() {
  return (
    <Stack gap="xl" aria-busy>
      <Skeleton height={30} width="14rem" maw="60%" radius="md" />
      <RowsSkeleton />
    </Stack>
  );
}
