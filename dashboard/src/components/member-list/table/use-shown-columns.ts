import { useMediaQuery } from '@mantine/hooks';
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type ColumnLayout, fittingColumns, phoneColumns } from './columns.ts';

/** The columns with the boxes and the buttons of the rows, in pixels. */
export const tickWidth = 36;
export const actionsWidth = 44;

interface ShownColumns {
  shown: ColumnLayout[];
  table: RefObject<HTMLTableElement | null>;
  /** Whether each row is a block of two lines. */
  isPhone: boolean;
}

/** The chosen columns for which the table has enough space. */
export function useShownColumns(chosen: readonly ColumnLayout[], hasActions: boolean): ShownColumns {
  const table = useRef<HTMLTableElement>(null);
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  useLayoutEffect(() => {
    const parent = table.current!.parentElement!;
    const measure = () => setWidth(parent.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(parent);
    return () => observer.disconnect();
  }, []);
  const space = width - tickWidth - (hasActions ? actionsWidth : 0);
  const shown = useMemo(
    () => (isPhone ? phoneColumns(chosen) : fittingColumns(chosen, space)),
    [chosen, isPhone, space],
  );
  return { shown, table, isPhone };
}
