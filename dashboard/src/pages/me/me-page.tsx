import { Stack } from '@mantine/core';
import { PageHeader } from '../../components/layout/page-header.tsx';
import { Initials } from '../../components/people/initials.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useMe } from '../../session/me.ts';
import { Appearance } from './appearance.tsx';
import { NameForm } from './name-form.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';

/** The operator's own account, the same on every site. */
export function MePage() {
  const t = useTexts('me');
  const { operator } = useMe();
  const name = operator.displayName ?? operator.email;
  return (
    <>
      <PageHeader
        title={t('title')}
        description={operator.email}
        picture={<Initials name={name} id={operator.id} size="lg" />}
      />
      <Stack gap="xl" maw="44rem">
        <NameForm />
        <Appearance />
        <Passkeys />
        <Sessions />
      </Stack>
    </>
  );
}
