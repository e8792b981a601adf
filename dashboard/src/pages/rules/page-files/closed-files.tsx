import type { PageFile } from '@gatehouse/client';
import { placeKey } from '@gatehouse/contract/rule-paths';
import { Code, Stack, Text } from '@mantine/core';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { List, ListRow } from '../../../components/layout/list.tsx';
import { StateText } from '../../../components/state/state-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useHosts } from '../../../queries/saved-site.ts';
import type { RuleEditor } from '../rule-editor.ts';
import { type Opening, openingsFor } from './openings.ts';

const maxShown = 6;

interface ClosedFilesProps {
  files: readonly PageFile[];
  editor: RuleEditor;
}

/** The files of a public page that visitors do not get, and rules that would give them these files. */
export function ClosedFiles({ files, editor }: ClosedFilesProps) {
  const t = useTexts('rules');
  const openings = openingsFor(files, editor.rules ?? [], useHosts().length > 1);
  const more = files.length - maxShown;
  return (
    <>
      <StateText state="attention">{t('files.closed', { count: files.length })}</StateText>
      <List label={t('files.title')}>
        {files.slice(0, maxShown).map((file) => (
          <FileRow key={file.url} file={file} />
        ))}
      </List>
      {more > 0 && <Hint>{t('files.more', { count: more })}</Hint>}
      {openings.map((opening) => (
        <OpeningOffer
          key={placeKey(opening.rules[0]!)}
          opening={opening}
          open={() => editor.add(opening.rules)}
        />
      ))}
      {openings.length === 0 && <Hint>{t('files.ownRules')}</Hint>}
    </>
  );
}

function FileRow({ file: { path, type } }: { file: PageFile }) {
  const t = useTexts('rules');
  const name = `files.type.${type}`;
  return (
    <ListRow trailing={<Hint>{t.has(name) ? t(name) : type}</Hint>}>
      <Text size="sm" ff="monospace" truncate title={path}>
        {path}
      </Text>
    </ListRow>
  );
}

/** Adds rules, which are not saved yet, and says what everyone would see by them. */
function OpeningOffer({ opening: { folder, rules }, open }: { opening: Opening; open: () => void }) {
  const t = useTexts('rules');
  const count = rules.length;
  // On a site with several hosts, the rules are for one of them.
  const places = rules.map(({ path, hosts = [] }) => hosts.join('') + path);
  const [place] = places;
  return (
    <Stack gap={4} align="flex-start">
      <ActionButton
        size="xs"
        maw="100%"
        label={folder === null ? t('files.openFiles', { count }) : t('files.openFolder', { folder: place! })}
        onClick={open}
      />
      <Hint size="xs">
        {folder === null
          ? t.rich('files.opensFiles', { count, paths: places.join(', ') })
          : t.rich('files.opensFolder', { folder: <Code>{place}</Code> })}
      </Hint>
    </Stack>
  );
}
