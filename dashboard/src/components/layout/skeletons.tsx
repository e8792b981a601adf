import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './skeletons.module.css';

/** A placeholder for rows that are loading. */
export function RowsSkeleton({ rows = 6 }: { rows?: number }) {
  return <TableSkeleton rows={rows} columns={2} />;
}

interface TableSkeletonProps {
  rows?: number;
  columns?: number;
}

/** A placeholder for a table, or for the rows of a list. */
export function TableSkeleton({ rows = 10, columns = 4 }: TableSkeletonProps) {
  return (
    <div aria-busy>
      {times(rows, (row) => (
        <div key={row} className={classes.row}>
          {times(columns, (column) => (
            <Skeleton key={column} height={10} className={classes.cell!} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** A placeholder for a page of fields. */
export function FormSkeleton({ fields = 5 }: { fields?: number }) {
  return (
    <div className={classes.form} aria-busy>
      {times(fields, (field) => (
        <div key={field} className={classes.stack}>
          <Skeleton height={10} width={120} />
          <Skeleton height={36} />
        </div>
      ))}
    </div>
  );
}

/** A placeholder for the page of one object: its facts, and lists of what belongs to it. */
export function DetailsSkeleton() {
  return (
    <div className={classes.stack} aria-busy>
      <Skeleton height={10} width="60%" />
      <Skeleton height={10} width="40%" mb="lg" />
      <Skeleton height={14} width={140} />
      <TableSkeleton rows={3} columns={3} />
      <Skeleton height={14} width={140} mt="lg" />
      <TableSkeleton rows={4} columns={3} />
    </div>
  );
}

/** A placeholder for the overview: what needs a person, numbers, and charts. */
export function OverviewSkeleton() {
  return (
    <div className={classes.overview} aria-busy>
      <Skeleton height={56} radius="lg" />
      <Skeleton height={68} radius="lg" />
      <ChartsSkeleton />
    </div>
  );
}

/** The height of a chart, in pixels. */
export const chartHeight = 190;

/** A placeholder for charts beside each other. */
export function ChartsSkeleton() {
  return <Skeleton height={chartHeight + 50} radius="lg" />;
}

/** A placeholder for a whole page: its title, and content of the shape of the page. */
export function PageSkeleton({ children = <RowsSkeleton /> }: { children?: ReactNode }) {
  return (
    <div aria-busy>
      <Skeleton height={24} width={220} maw="60%" mt={4} mb="xl" />
      {children}
    </div>
  );
}

function times(count: number, part: (index: number) => ReactNode): ReactNode[] {
  return Array.from({ length: count }, (_, index) => part(index));
}
