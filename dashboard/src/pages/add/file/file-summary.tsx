import { knownExport, type SiteOfList } from '@gatehouse/member-lists';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import type { FilePart } from './file-part.ts';

interface FileSummaryProps extends FilePart {
  site: SiteOfList;
  chooseOther: () => void;
}

/** The file: its name, the number of its rows, and which system wrote it. */
export function FileSummary({ list, reading, answers, answer, site, chooseOther }: FileSummaryProps) {
  const t = useTexts('add');
  const recognized = useMemo(() => list.survey.propose({}, site).reading.export, [list, site]);
  const title = recognized && knownExport(recognized).title;
  const readAs = (choice: null | undefined) => {
    // The other answers were about the columns of the other reading.
    const { export: _, ...others } = answers;
    answer(choice === null ? { ...others, export: null } : others);
  };
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Stack gap={2} flex="1 1 14rem" miw={0}>
        <Text fw={500}>{list.name}</Text>
        <Hint>
          {t('count.all', { count: list.survey.rows })}
          {title && (
            <>
              {' · '}
              {t(reading.export ? 'isExport' : 'isPlain', { system: title })}{' '}
              <Anchor
                component="button"
                type="button"
                size="sm"
                ta="start"
                onClick={() => readAs(reading.export ? null : undefined)}
              >
                {t(reading.export ? 'readAsPlain' : 'readAsExport', { system: title })}
              </Anchor>
            </>
          )}
        </Hint>
      </Stack>
      <ActionButton label={t('otherFile')} size="xs" onClick={chooseOther} ref={passFocusOn} />
    </Group>
  );
}
