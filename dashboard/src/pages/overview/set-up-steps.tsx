import type { Overview } from '@gatehouse/client';
import { Text, VisuallyHidden } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '../../components/icons/icons.ts';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { Section } from '../../components/layout/section.tsx';
import { useTexts } from '../../languages/texts.tsx';
import classes from './overview.module.css';

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
      <progress className={classes.progress} value={count} max={steps.length} aria-label={progress} />
      <ol className={classes.steps}>
        {steps.map(({ step, to }) => {
          const done = setUp[step];
          const Icon = done ? IconCircleCheckFilled : IconCircle;
          return (
            <li key={step} className={classes.step} data-done={done || undefined}>
              <Icon size={20} stroke={1.5} aria-hidden />
              <div>
                <VisuallyHidden>{t(done ? 'done' : 'toDo')}: </VisuallyHidden>
                {done ? (
                  <Text component="span" c="dimmed">
                    {t(`step.${step}`)}
                  </Text>
                ) : (
                  <LinkText from="/$site" to={to} fw={600}>
                    {t(`step.${step}`)}
                  </LinkText>
                )}
                {!done && <Hint size="xs">{t(`help.${step}`)}</Hint>}
              </div>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
