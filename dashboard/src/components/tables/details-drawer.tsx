import { GatehouseError } from '@gatehouse/client';
import { Drawer, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';
import { ErrorNote } from '../feedback/error-note.tsx';
import { RowsSkeleton } from '../layout/skeletons.tsx';

interface DetailsDrawerProps {
  title: ReactNode;
  size: string;
  isOpen: boolean;
  close: () => void;
  /** What is shown, as soon as it is loaded. */
  content: ReactNode;
  /** Why it could not be loaded. */
  error: Error | null;
  retry: () => unknown;
  /** The code of the error for what no longer exists, and what is said then. */
  notFound: { code: string; text: string };
}

/** The details of a row of a list, beside the list. */
export function DetailsDrawer(props: DetailsDrawerProps) {
  const { title, size, isOpen, close, content, error, retry, notFound } = props;
  const isGone = error instanceof GatehouseError && error.code === notFound.code;
  useReturnFocus(isOpen);
  return (
    <Drawer opened={isOpen} onClose={close} returnFocus={false} position="right" size={size} title={title}>
      {content}
      {!content && !error && <RowsSkeleton rows={3} />}
      {isGone && <Text>{notFound.text}</Text>}
      {error && !isGone && <ErrorNote error={error} retry={retry} />}
    </Drawer>
  );
}
