import { withHeadings } from '@gatehouse/member-lists';
import { Anchor, Group, Stack, Switch, Title } from '@mantine/core';
import { useId, useState } from 'react';
import { useTexts } from '../../../languages/texts.tsx';
import type { NamedList } from '../file/drop-file.tsx';
import type { FilePart } from '../file/member-file.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { FormChoice } from './form-choice.tsx';
import { GroupColumnChoice } from './group-column-choice.tsx';
import { PaidWords, StatusWords } from './known-words.tsx';
import { ReadingFacts } from './reading-facts.tsx';

interface ReadingPanelProps extends FilePart {
  change: (list: NamedList) => void;
}

/** How the list is read: in short, or as fields that can be changed. */
export function ReadingPanel({ change, ...parts }: ReadingPanelProps) {
  const t = useTexts('add');
  const { list, reading } = parts;
  const hasEmail = reading.columns.email !== null;
  const [isOpen, setOpen] = useState(!hasEmail);
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
