import { VisuallyHidden } from '@mantine/core';
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import classes from './data-table.module.css';

export interface DataColumn {
  readonly name: string;
  /** The heading. */
  readonly title: ReactNode;
  /** In pixels. The columns that fill share what is left; so does a column without a width. */
  readonly width?: number | 'fill';
  readonly align?: 'end';
  /** The smallest window that shows the column: `sm` has 768 pixels, `md` 992. */
  readonly from?: 'sm' | 'md';
  /** Whether the heading is only for screen readers. */
  readonly isUntitled?: boolean;
}

interface DataTableProps {
  label: string;
  columns: readonly DataColumn[];
  /** Rows of cells, in the order of the columns. */
  children: ReactNode;
}

/** A table of rows of one line. On a phone, each row is a block of two lines: its first cell, and the others. */
export function DataTable({ label, columns, children }: DataTableProps) {
  return (
    <table className={classes.table} aria-label={label} {...hiddenColumns(columns)}>
      <thead>
        <tr>
          {columns.map((column) => (
            <DataHeading key={column.name} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function DataHeading({ column: { title, width, align, isUntitled = false } }: { column: DataColumn }) {
  return (
    <th scope="col" data-align={align} style={{ inlineSize: typeof width === 'number' ? width : undefined }}>
      {isUntitled ? <VisuallyHidden>{title}</VisuallyHidden> : title}
    </th>
  );
}

/** The numbers of the columns that a smaller window hides, for the style sheet. */
function hiddenColumns(columns: readonly Pick<DataColumn, 'from'>[]) {
  const numbers = (size: 'sm' | 'md') =>
    columns.flatMap(({ from }, index) => (from === size ? [index + 1] : [])).join(' ');
  return { 'data-from-sm': numbers('sm'), 'data-from-md': numbers('md') };
}

interface DataRowProps extends Omit<ComponentPropsWithRef<'tr'>, 'className' | 'onClick'> {
  /** Whether its details are open, or it is the row that the keyboard is at. */
  isActive?: boolean;
  isSelected?: boolean;
  /** For the mouse only. For keyboard and screen reader users, a cell has a link or a button. */
  onOpen?: () => void;
}

export function DataRow({ isActive = false, isSelected = false, onOpen, ...props }: DataRowProps) {
  const open = (event: MouseEvent) => {
    if (!isForItself(event.target as Element)) onOpen?.();
  };
  return (
    <tr
      {...props}
      className={classes.row}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      data-opens={onOpen !== undefined || undefined}
      onClick={onOpen && open}
    />
  );
}

interface DataCellProps extends Omit<ComponentPropsWithRef<'td'>, 'className' | 'align'> {
  /** For what is not read in every row. */
  quiet?: boolean;
  /** For what must be read whole: it may take several lines. */
  wraps?: boolean;
  align?: 'end' | undefined;
  /** A box to select the row, or buttons for it. They keep their place on a phone. */
  holds?: 'tick' | 'actions';
}

export function DataCell({ quiet = false, wraps = false, align, holds, ...props }: DataCellProps) {
  return (
    <td
      {...props}
      data-quiet={quiet || undefined}
      data-wraps={wraps || undefined}
      data-align={align}
      data-holds={holds}
      className={classes.cell}
    />
  );
}

/** Whether a click was on a control in the row, or selected text. */
function isForItself(pressed: Element): boolean {
  return (
    pressed.closest('a, button, input, label, [data-holds]') !== null ||
    window.getSelection()?.isCollapsed === false
  );
}
