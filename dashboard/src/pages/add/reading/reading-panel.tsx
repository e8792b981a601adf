import { withHeadings } from '@gatehouse/member-lists';
import { Anchor, Group, Stack, Switch, Title } from '@mantine/core';
import { useId } from 'react';
import { useTexts } from '../../../languages/texts.tsx';
import type { FilePart, NamedList } from '../file/file-part.ts';
import { ColumnChoice } from './column-choice.tsx';
import { FormChoice } from './form-choice.tsx';
import { GroupColumnChoice } from './group-column-choice.tsx';
import { PaidWords, StatusWords } from './known-words.tsx';
import { ReadingFacts } from './reading-facts.tsx';

interface ReadingPanelProps extends FilePart {
  change: (list: NamedList) => void;
  /** Whether the fields are shown. */
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/** How the list is read: in short, or as fields that can be changed. */
export function ReadingPanel({ change, isOpen, setOpen, ...parts }: ReadingPanelProps) {
  const t = useTexts('add');
  const { list } = parts;
  const titleId = useId();
  const bodyId = useId();
  const switchHeadings = async (hasHeadings: boolean) =>
    change({ ...list, ...(await withHeadings(list, hasHeadings)) });
  return (
    <section aria-labelledby={titleId}>
      <Group gap="sm" mb="xs">
        <Title order={2} size="h4" id={titleId}>
          {t('reading')}
        </Title>
        <Anchor
          component="button"
          type="button"
          size="sm"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'closeReading' : 'changeReading')}
        </Anchor>
      </Group>
      <div id={bodyId}>
        {isOpen ? (
          <Stack>
            <ColumnChoice {...parts} />
            <GroupColumnChoice {...parts} />
            <FormChoice {...parts} />
            <StatusWords {...parts} />
            <PaidWords {...parts} />
            <Switch
              label={t('hasHeadings')}
              checked={list.hasHeadings}
              onChange={(event) => void switchHeadings(event.currentTarget.checked)}
            />
          </Stack>
        ) : (
          <ReadingFacts {...parts} />
        )}
      </div>
    </section>
  );
}
