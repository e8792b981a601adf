import type { MemberWithGroups } from '@gatehouse/client';
import { maxDisplayNameLength, maxEmailLength } from '@gatehouse/contract/limits';
import { Switch } from '@mantine/core';
import { Hint } from '../../components/layout/hint.tsx';
import { Section } from '../../components/layout/section.tsx';
import { useMemberChange } from '../../components/members/use-member-change.ts';
import { Fact, Facts } from '../../components/tables/facts.tsx';
import { displayAddress } from '../../format/addresses/email-address.ts';
import { useTexts } from '../../languages/texts.tsx';
import type { SavedMember } from '../../queries/members/member.ts';
import { useGatehouse, useMay } from '../../session/site.ts';
import { EditableText } from './editable-text.tsx';
import { useFieldChange } from './member-query.ts';

/** The name and the email address of the member, and whether the member pays. They can be changed. */
export function ProfileSection({ saved }: { saved: SavedMember }) {
  const t = useTexts('member');
  const mayWrite = useMay('members:write');
  const changeField = useFieldChange(saved);
  const member = saved.data;
  const { email, displayName, verified } = member;
  return (
    <Section title={t('profile')}>
      <Facts>
        <Fact name={t('name')}>
          <EditableText
            label={t('name')}
            value={displayName ?? ''}
            empty={t('noName')}
            keys="e"
            maxLength={maxDisplayNameLength}
            mayChange={mayWrite}
            save={(to) => changeField(t('nameChanged'), { displayName: to || null }, { displayName })}
          />
        </Fact>
        <Fact name={t('email')}>
          <EditableText
            label={t('email')}
            type="email"
            value={displayAddress(email)}
            empty=""
            maxLength={maxEmailLength}
            mayChange={mayWrite}
            save={(to) => changeField(t('emailChanged'), { email: to }, { email })}
          />
          <Hint size="xs">{t(verified ? 'verified' : 'unverified')}</Hint>
        </Fact>
        <Fact name={t('paid')}>
          {mayWrite ? <PaidSwitch member={member} /> : t(member.paid ? 'yes' : 'no')}
        </Fact>
      </Facts>
    </Section>
  );
}

function PaidSwitch({ member: { id, paid } }: { member: MemberWithGroups }) {
  const t = useTexts('member');
  const gatehouse = useGatehouse();
  const change = useMemberChange(id);

  function setPaid(to: boolean): void {
    void change({
      done: t(to ? 'nowPaid' : 'nowUnpaid'),
      send: () => gatehouse.members.update(id, { paid: to }),
      undo: () => gatehouse.members.update(id, { paid: !to }),
      becomes: { paid: to },
    });
  }

  return (
    <Switch
      aria-label={t('paid')}
      checked={paid ?? false}
      onChange={(event) => setPaid(event.currentTarget.checked)}
    />
  );
}
