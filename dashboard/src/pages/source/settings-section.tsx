import type { Source } from '@gatehouse/client';
import { isConnected } from '@gatehouse/contract/source-types';
import { Group, Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { Section } from '../../components/layout/section.tsx';
import { hasCollections } from '../../components/sources/source-state.tsx';
import { Fact, Facts } from '../../components/tables/facts.tsx';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
import { useSaveSource } from '../../queries/source-changes.ts';
import type { Version } from '../../queries/version.ts';
import { useMay } from '../../session/site.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { intervalText } from './interval-text.ts';
import { SecretForm } from './secret-form.tsx';
import { SettingsForm } from './settings-form.tsx';

/** How the source is synchronized, and the dialogs that change it. */
export function SettingsSection({ saved }: { saved: Version<Source> }) {
  const t = useTexts('sources');
  const source = saved.data;
  const mayWrite = useMay('sources:write');
  const [editing, edit] = useDisclosure();
  return (
    <Section
      title={t('settings')}
      action={mayWrite && <ActionButton label={t('changeSettings')} size="xs" onClick={edit.open} />}
    >
      {source.type !== 'program' && <OnSwitch source={source} disabled={!mayWrite} />}
      <SettingFacts source={source} />
      {mayWrite && <Buttons source={source} />}
      <Dialog opened={editing} onClose={edit.close} title={t('settings')}>
        <SettingsForm saved={saved} close={edit.close} />
      </Dialog>
    </Section>
  );
}

function OnSwitch({ source, disabled }: { source: Source; disabled: boolean }) {
  const t = useTexts('sources');
  const keys = useSiteKeys();
  const save = useSaveSource();
  const change = useUndoable();
  const turn = (enabled: boolean) =>
    change({
      done: t(enabled ? 'turnedOn' : 'turnedOff', { name: source.name }),
      send: () => save(source.id, { enabled }),
      undo: () => save(source.id, { enabled: !enabled }),
      invalidates: [keys.sources.list],
    });
  return (
    <Switch
      mb="md"
      label={t('enabled')}
      description={t('enabledHelp')}
      checked={source.enabled}
      disabled={disabled || !hasCollections(source)}
      onChange={(event) => void turn(event.currentTarget.checked)}
    />
  );
}

function SettingFacts({ source }: { source: Source }) {
  const t = useTexts('sources');
  const { type, host, intervalMinutes, maxRemovedPeople, maxRemovedPercent, graceDays, onLeave } = source;
  return (
    <Facts>
      <Fact name={t('host')}>{host}</Fact>
      <Fact name={t('interval')}>{type !== 'program' && intervalText(intervalMinutes)}</Fact>
      <Fact name={t('limits')}>
        {t('limitsText', { count: maxRemovedPeople, percent: maxRemovedPercent })}
        {maxRemovedPercent < 100 && t('limitsSmall')}
      </Fact>
      <Fact name={t('onLeave')}>{t(`onLeave.${onLeave}`)}</Fact>
      <Fact name={t('grace')}>{t('days', { count: graceDays })}</Fact>
    </Facts>
  );
}

function Buttons({ source }: { source: Source }) {
  const t = useTexts('sources');
  const [replacing, replace] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const type = isConnected(source.type) ? source.type : undefined;
  return (
    <Group gap="xs" mt="md">
      {type && <ActionButton label={t(`replace.${type}`)} size="xs" onClick={replace.open} />}
      <ActionButton label={t('delete')} size="xs" onClick={remove.open} />
      {type && (
        <Dialog opened={replacing} onClose={replace.close} title={t(`replace.${type}`)}>
          <SecretForm source={source} type={type} close={replace.close} />
        </Dialog>
      )}
      <Dialog opened={deleting} onClose={remove.close} title={t('deleteTitle', { name: source.name })}>
        <DeleteDialog source={source} close={remove.close} />
      </Dialog>
    </Group>
  );
}
