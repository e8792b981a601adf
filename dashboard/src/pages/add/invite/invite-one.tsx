import { Checkbox } from '@mantine/core';
import { showFailure } from '../../../components/feedback/error-notification.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteApi } from '../../../queries/site-api.ts';
import { InvitationLanguage } from './invitation-language.tsx';
import { useLacksDomain } from './use-may-invite.ts';

/** Whether a new member gets an email, and in which language. */
export interface InvitationValues {
  invites: boolean;
  /** Null for the default language of the site. */
  language: string | null;
}

interface InvitationFieldsProps extends InvitationValues {
  change: (values: Partial<InvitationValues>) => void;
}

export function InvitationFields({ invites, language, change }: InvitationFieldsProps) {
  const t = useTexts('add');
  const lacksDomain = useLacksDomain();
  return (
    <>
      <Checkbox
        checked={invites}
        onChange={(event) => change({ invites: event.currentTarget.checked })}
        label={t('invite.one')}
        description={t(lacksDomain ? 'invite.noDomain' : 'invite.oneHelp')}
        disabled={lacksDomain}
      />
      {invites && (
        <InvitationLanguage language={language} choose={(chosen) => change({ language: chosen })} />
      )}
    </>
  );
}

/** Returns a function that invites one member. It resolves to whether that succeeded; if not, it shows why. */
export function useInviteOne(): (email: string, language: string | null) => Promise<boolean> {
  const { gatehouse } = useSiteApi();
  return async (email, language) => {
    try {
      await gatehouse.invitations.create({ email, language });
      return true;
    } catch (error) {
      showFailure(error);
      return false;
    }
  };
}
