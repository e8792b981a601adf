import type { Webhook } from '@gatehouse/client';
import { Group, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { Section } from '../../components/layout/section.tsx';
import { Fact, Facts } from '../../components/tables/facts.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTypeText } from '../../components/webhooks/use-type-text.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import type { Version } from '../../queries/version.ts';
import { useMay } from '../../session/site.ts';
import { DeleteButton } from './delete-button.tsx';
import { RotateButton } from './rotate-button.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useEnabling } from './use-enabling.ts';

interface SettingsSectionProps {
  saved: Version<Webhook>;
  /** Called when it was enabled after its attempts had failed, with the time since when. */
  enabled: (failingSince: string) => void;
}

/** What is sent and how, and the dialogs that change it. */
export function SettingsSection({ saved, enabled }: SettingsSectionProps) {
  const t = useTexts('webhooks');
  const webhook = saved.data;
  const mayWrite = useMay('webhooks:write', 'events:read');
  const [editing, edit] = useDisclosure();
  const { enable, disable } = useEnabling(webhook, enabled);
  return (
    <Section
      title={t('settings')}
      action={mayWrite && <ActionButton label={t('changeSettings')} size="xs" onClick={edit.open} />}
    >
      <Switch
        mb="md"
        label={t('enabled')}
        description={t('enabledHelp')}
        checked={webhook.enabled}
        disabled={!mayWrite}
        onChange={(event) => void (event.currentTarget.checked ? enable() : disable())}
      />
      <SettingFacts webhook={webhook} />
      {mayWrite && (
        <Group gap="xs" mt="md">
          <RotateButton webhook={webhook} />
          <DeleteButton webhook={webhook} />
        </Group>
      )}
      <Dialog opened={editing} onClose={edit.close} title={t('settings')} size="lg">
        <SettingsForm saved={saved} close={edit.close} />
      </Dialog>
    </Section>
  );
}

function SettingFacts({ webhook }: { webhook: Webhook }) {
  const t = useTexts('webhooks');
  const typeText = useTypeText();
  const { eventTypes, groupIds, content, parallelism, previousSecretExpiresAt: until } = webhook;
  const isBothSigning = until !== null && Date.parse(until) > Date.now();
  return (
    <Facts>
      <Fact name={t('url')}>{webhook.url}</Fact>
      <Fact name={t('events')}>{eventTypes ? eventTypes.map(typeText).join(', ') : t('events.all')}</Fact>
      <Fact name={t('groups')}>{groupIds && <GroupNames ids={groupIds} />}</Fact>
      <Fact name={t('content')}>{t(content === 'ids' ? 'content.ids' : 'content.full')}</Fact>
      <Fact name={t('order')}>
        {parallelism === 1 ? t('order.ordered') : t('order.upTo', { number: parallelism })}
      </Fact>
      <Fact name={t('secret')}>
        {isBothSigning ? t.rich('bothSign', { time: <TimeText at={until} as="full" /> }) : t('secretStored')}
      </Fact>
      <Fact name={t('createdAt')}>
        <TimeText at={webhook.createdAt} as="date" />
      </Fact>
    </Facts>
  );
}

function GroupNames({ ids }: { ids: readonly string[] }) {
  const t = useTexts('webhooks');
  const { data, isSuccess } = useAccessGroups();
  const names = ids.map((id) => data?.find((group) => group.id === id)?.name);
  const shown = names.map((name) => name ?? (isSuccess ? t('deletedGroup') : '…'));
  return <Text inherit>{shown.join(', ')}</Text>;
}
