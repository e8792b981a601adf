import type { LoginProvider, LoginProviderTest } from '@gatehouse/client';
import { Text } from '@mantine/core';
import { ErrorNote } from '../../components/feedback/error-note.tsx';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { List, ListRow } from '../../components/layout/list.tsx';
import { Section } from '../../components/layout/section.tsx';
import { type State, StateText } from '../../components/state/state-text.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { type LastTest, useProviderTest } from '../../queries/ways-in/login-providers.ts';
import { useMay } from '../../session/site.ts';

type Check = LoginProviderTest['checks'][number];

const states: Readonly<Record<Check['status'], State>> = { ok: 'good', failed: 'bad', unknown: 'neutral' };

/** Asks the provider what is wrong with the settings, without a login. */
export function TestSection({ provider }: { provider: LoginProvider }) {
  const t = useTexts('login');
  const mayTest = useMay('login-providers:write', 'login-links:write');
  const { found, test, isPending, error } = useProviderTest(provider.id);
  if (!mayTest) return null;
  return (
    <Section
      title={t('test')}
      description={t('testHelp')}
      action={
        <ActionButton
          label={t(found ? 'testAgain' : 'testNow')}
          size="xs"
          loading={isPending}
          onClick={test}
        />
      }
    >
      {error && <ErrorNote error={error} />}
      <div role="status">{found && !error && <FoundByTest found={found} />}</div>
    </Section>
  );
}

function FoundByTest({ found: { ok, checks, testedAt, isOutdated } }: { found: LastTest }) {
  const t = useTexts('login');
  return (
    <>
      <Text fw={500} mb="xs">
        {isOutdated
          ? t.rich('testOutdated', { time: <TimeText at={testedAt} as="clock" /> })
          : t(ok ? 'testOk' : 'testFailed')}
      </Text>
      <List label={t('test')}>
        {checks.map((each) => (
          <CheckRow key={each.check} found={each} />
        ))}
      </List>
    </>
  );
}

/** A part of the settings, in words. What the provider itself has answered is shown only if something is not right. */
function CheckRow({ found: { check, status, message } }: { found: Check }) {
  const t = useTexts('login');
  const sentence = `check.${check}.${status}`;
  return (
    <ListRow isTall trailing={<StateText state={states[status]}>{t(`status.${status}`)}</StateText>}>
      <Text fw={500}>{t.has(`check.${check}`) ? t(`check.${check}`) : check}</Text>
      {t.has(sentence) && <Hint>{t(sentence)}</Hint>}
      {(status !== 'ok' || !t.has(sentence)) && (
        <Text size="xs" c="dimmed" lang="en">
          {message}
        </Text>
      )}
    </ListRow>
  );
}
