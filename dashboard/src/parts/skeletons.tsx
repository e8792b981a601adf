import { Skeleton, Stack } from '@mantine/core';

/** In the place of rows that are on their way. */
export function RowsSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <Stack gap="sm" aria-busy>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={40} radius="md" />
      ))}
    </Stack>
  );
}

/** In the place of a page that is on its way. */
export function PageSkeleton() {
  return (
    <Stack gap="xl" aria-busy>
      <Skeleton height={30} width="14rem" maw="60%" radius="md" />
      <RowsSkeleton />
    </Stack>
  );
}
