import type { ListQuestion, SiteOfList } from '@gatehouse/member-lists';
import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { Hint } from '../../../components/layout/hint.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import type { FilePart } from '../file/file-part.ts';

/** The question of a type, with the parts of the page. */
export type QuestionProps<Type extends ListQuestion['type']> = FilePart & {
  question: Extract<ListQuestion, { type: Type }>;
  site: SiteOfList;
};

export interface QuestionFrameProps {
  title: string;
  help?: string;
  children: ReactNode;
}

/** A question with its answers. */
export function QuestionFrame({ title, help, children }: QuestionFrameProps) {
  const titleId = useId();
  return (
    <Stack gap={6} role="group" aria-labelledby={titleId} ref={passFocusOn}>
      <div>
        <Title order={3} size="sm" id={titleId} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {help && <Hint>{help}</Hint>}
      </div>
      {children}
    </Stack>
  );
}
