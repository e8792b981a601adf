import type { LoginProvider } from '@gatehouse/client';
import { Group, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { Section } from '../../components/layout/section.tsx';
import { useEnabling } from '../../components/login-providers/use-enabling.ts';
import { Fact, Facts } from '../../components/tables/facts.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import type { Version } from '../../queries/version.ts';
import { useMay } from '../../session/site.ts';
import { DeleteButton } from './delete-button.tsx';
import { EditForm } from './edit-form.tsx';
import { SecretForm } from './secret-form.tsx';

/** Whether the provider is offered, its settings, and the dialogs that change them. */
export function SettingsSection({ saved }: { saved: Version<LoginProvider> }) {
  const t = useTexts('login');
  const provider = saved.data;
  const mayWrite = useMay('login-providers:write', 'login-links:write');
  const [isEditing, edit] = useDisclosure();
  const [isReplacing, replace] = useDisclosure();
  const setEnabled = useEnabling(provider);
  const replaceSecret = t(provider.type === 'apple' ? 'replaceKey' : 'replaceSecret');
  return (
    <Section
      title={t('settings')}
      action={mayWrite && <ActionButton label={t('change')} size="xs" onClick={edit.open} />}
    >
      <Switch
        mb="md"
        label={t('offered')}
        description={t('offeredHelp')}
        checked={provider.enabled}
        disabled={!mayWrite}
        onChange={(event) => void setEnabled(event.currentTarget.checked)}
      />
      <SettingFacts provider={provider} />
      {mayWrite && (
        <Group gap="xs" mt="md">
          <ActionButton label={replaceSecret} size="xs" onClick={replace.open} />
          <DeleteButton provider={provider} />
        </Group>
      )}
      <Dialog opened={isEditing} onClose={edit.close} title={t('settings')} size="lg">
        <EditForm saved={saved} close={edit.close} />
      </Dialog>
      <Dialog opened={isReplacing} onClose={replace.close} title={replaceSecret} size="lg">
        <SecretForm provider={provider} close={replace.close} />
      </Dialog>
    </Section>
  );
}

function SettingFacts({ provider }: { provider: LoginProvider }) {
  const t = useTexts('login');
  const { type, issuer, clientId, tenant, teamId, privateKeyId, emailTrust, groupsClaim } = provider;
  return (
    <Facts>
      <Fact name={t('issuer')}>{issuer}</Fact>
      <Fact name={t(type === 'apple' ? 'servicesId' : 'clientId')}>{clientId}</Fact>
      <Fact name={t('tenant')}>{tenant}</Fact>
      <Fact name={t('teamId')}>{teamId}</Fact>
      <Fact name={t('privateKeyId')}>{privateKeyId}</Fact>
      <Fact name={t(type === 'apple' ? 'privateKey' : 'secret')}>{t('secretStored')}</Fact>
      <Fact name={t('emailTrust')}>{t(`trust.${emailTrust}`)}</Fact>
      <Fact name={t('groups')}>{groupsClaim !== null && <GroupMap provider={provider} />}</Fact>
      <Fact name={t('createdAt')}>
        <TimeText at={provider.createdAt} as="date" />
      </Fact>
    </Facts>
  );
}

/** The claim, and each of its values with the group that follows it. */
function GroupMap({ provider: { groupsClaim, groupMap } }: { provider: LoginProvider }) {
  const t = useTexts('login');
  const { data, isSuccess } = useAccessGroups();
  const nameOf = (groupId: string) =>
    data?.find(({ id }) => id === groupId)?.name ?? (isSuccess ? t('deletedGroup') : '…');
  const pairs = groupMap.map(({ value, accessGroupId }) => `${value} → ${nameOf(accessGroupId)}`);
  return <Text inherit>{[groupsClaim, ...pairs].join(' · ')}</Text>;
}
