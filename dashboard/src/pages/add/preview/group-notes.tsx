import { Checkbox, Stack, Text } from '@mantine/core';
import { Notice } from '../../../components/feedback/notice.tsx';
import { Hint, Problem } from '../../../components/layout/hint.tsx';
import { Contact } from '../../../components/people/contact.tsx';
import { language } from '../../../languages/language.ts';
import { useTexts } from '../../../languages/texts.tsx';
import type { GroupNames } from './use-group-names.ts';

const shownNames = 10;
const lists = new Intl.ListFormat(language, { type: 'conjunction' });

/** Notes about the groups that a file names. */
export function GroupNotes({ names }: { names: GroupNames }) {
  const t = useTexts('add');
  const { missing, scopes, impossible, endedRows, mayCreate, creating, setCreating } = names;
  const inShort = (some: readonly string[]) => {
    const shown = some.slice(0, shownNames).map((name) => t('quoted', { name: name.slice(0, 120) }));
    const more = some.length - shown.length;
    return lists.format(more > 0 ? [...shown, t('moreGroups', { count: more })] : shown);
  };
  return (
    <>
      {impossible.length > 0 && <Problem>{t('impossibleGroups', { names: inShort(impossible) })}</Problem>}
      {missing.length > 0 && (
        <Notice state="attention">
          <Stack gap="xs">
            <Text size="sm">{t('missingGroups', { count: missing.length, names: inShort(missing) })}</Text>
            {mayCreate ? (
              <Checkbox
                label={t('createGroups', { count: missing.length })}
                checked={creating}
                onChange={(event) => setCreating(event.currentTarget.checked)}
              />
            ) : (
              <Contact needs={['access-groups:write']} isReadOnly />
            )}
          </Stack>
        </Notice>
      )}
      {scopes.length > 0 && <Hint>{t('scopeGroups', { names: inShort(scopes) })}</Hint>}
      {endedRows > 0 && <Hint>{t('endedRows', { count: endedRows })}</Hint>}
    </>
  );
}
