import type { Overview } from '@gatehouse/client';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { Section } from '../../components/layout/section.tsx';
import { CheckItem, Checklist } from '../../components/steps/checklist.tsx';
import { useTexts } from '../../languages/texts.tsx';

type Step = keyof Overview['setUp'];

/** The setup steps with their pages, in the order of the guide. */
const steps: readonly {
  step: Step;
  to: `/$site/${'settings' | 'emails' | 'add' | 'groups' | 'rules' | 'members'}`;
}[] = [
  { step: 'domain', to: '/$site/settings' },
  { step: 'accessGroups', to: '/$site/groups' },
  { step: 'members', to: '/$site/add' },
  { step: 'accessRules', to: '/$site/rules' },
  { step: 'email', to: '/$site/emails' },
  { step: 'login', to: '/$site/members' },
];

/** The setup steps. Hidden once all are done. */
export function SetUpSteps({ setUp }: { setUp: Overview['setUp'] }) {
  const t = useTexts('overview');
  const count = steps.filter(({ step }) => setUp[step]).length;
  if (count === steps.length) return null;
  const progress = t('setUpProgress', { count, total: steps.length });
  return (
    <Section title={t('setUp')} description={progress}>
      <Checklist progress={{ text: progress, count, total: steps.length }}>
        {steps.map(({ step, to }) =>
          setUp[step] ? (
            <CheckItem key={step} isDone state={t('done')}>
              {t(`step.${step}`)}
            </CheckItem>
          ) : (
            <CheckItem key={step} isDone={false} state={t('toDo')}>
              <LinkText from="/$site" to={to} fw={600}>
                {t(`step.${step}`)}
              </LinkText>
              <Hint size="xs">{t(`help.${step}`)}</Hint>
            </CheckItem>
          ),
        )}
      </Checklist>
    </Section>
  );
}
