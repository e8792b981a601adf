import { QueryState } from '../../components/feedback/query-state.tsx';
import { Section } from '../../components/layout/section.tsx';
import { Fact, Facts } from '../../components/tables/facts.tsx';
import { locale } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useLoginMethods } from '../../queries/ways-in/login-providers.ts';

const methods = ['link', 'code', 'passkey', 'provider', 'unknown'] as const;

/** How the present sessions of the members were opened. */
export function UsageSection() {
  const t = useTexts('login');
  const member = useTexts('member');
  const { data, error, refetch } = useLoginMethods();
  return (
    <Section title={t('usage')} description={t('usageHelp')}>
      <QueryState query={{ data, error, refetch }} rows={1} />
      {data && (
        <Facts>
          {methods
            // Older sessions do not say it.
            .filter((method) => method !== 'unknown' || data.sessions.unknown > 0)
            .map((method) => (
              <Fact key={method} name={member(`method.${method}`)}>
                {data.sessions[method].toLocaleString(locale)}
              </Fact>
            ))}
        </Facts>
      )}
    </Section>
  );
}
