import { Switch, Text } from '@mantine/core';
import { useTexts } from '../../languages/texts.tsx';
import { shownAddress } from '../../parts/address.ts';
import { Fact, Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { useGatehouse, useMay } from '../../session/site.ts';
import { EditableText } from './editable-text.tsx';
import { type SavedMember, useFieldChange, useMemberChange } from './member-query.ts';

const longestName = 200;
const longestAddress = 254;

/** Who the member is. */
export function ProfileSection({ saved }: { saved: SavedMember }) {
  const t = useTexts('member');
  const mayWrite = useMay('members:write');
  const gatehouse = useGatehouse();
  const changeField = useFieldChange(saved);
  const member = saved.data;
  const change = useMemberChange(member.id);
  const { id, email, displayName, paid, verified } = member;

  function setPaid(to: boolean): void {
    void change({
      done: t(to ? 'nowPaid' : 'nowUnpaid'),
      send: () => gatehouse.members.update(id, { paid: to }),
      undo: () => gatehouse.members.update(id, { paid: !to }),
      becomes: { paid: to },
    });
  }

  return (
    <Section title={t('profile')}>
      <Facts>
        <Fact name={t('name')}>
          <EditableText
            label={t('name')}
            value={displayName ?? ''}
            empty={t('noName')}
            maxLength={longestName}
            mayChange={mayWrite}
            save={(to) => changeField(t('nameChanged'), { displayName: to || null }, { displayName })}
          />
        </Fact>
        <Fact name={t('email')}>
          <EditableText
            label={t('email')}
            type="email"
            value={shownAddress(email)}
            empty=""
            maxLength={longestAddress}
            mayChange={mayWrite}
            save={(to) => changeField(t('emailChanged'), { email: to }, { email })}
          />
          <Text size="xs" c="dimmed">
            {t(verified ? 'verified' : 'unverified')}
          </Text>
        </Fact>
        <Fact name={t('paid')}>
          {mayWrite ? (
            <Switch
              aria-label={t('paid')}
              checked={paid ?? false}
              onChange={(event) => setPaid(event.currentTarget.checked)}
            />
          ) : (
            t(paid ? 'yes' : 'no')
          )}
        </Fact>
        <TimeFact name={t('added')} at={member.createdAt} />
        <TimeFact name={t('registered')} at={member.registeredAt} />
        <TimeFact name={t('lastLogin')} at={member.lastLoginAt} />
      </Facts>
    </Section>
  );
}

function TimeFact({ name, at }: { name: string; at: string | null }) {
  const t = useTexts('member');
  return <Fact name={name}>{at === null ? <Text c="dimmed">{t('never')}</Text> : <TimeText at={at} />}</Fact>;
}
