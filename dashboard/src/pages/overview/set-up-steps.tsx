import type { Overview, Site } from '@gatehouse/client';
import { QuietButton } from '../../components/layout/action-button.tsx';
import { Hint } from '../../components/layout/hint.tsx';
import { LinkText } from '../../components/layout/links.tsx';
import { Section } from '../../components/layout/section.tsx';
import { CheckItem, Checklist } from '../../components/steps/checklist.tsx';
import { useUndoable } from '../../hooks/use-undoable.tsx';
import { useTexts } from '../../languages/texts.tsx';
import { useSavedSite } from '../../queries/saved-site.ts';
import { useSiteApi } from '../../queries/site-api.ts';

type Step = keyof Overview['setUp'];

/** The setup steps, in the order of the guide. */
const steps: readonly Step[] = ['domain', 'accessGroups', 'members', 'accessRules', 'email', 'login'];

/** The setup steps, until they are hidden. */
export function SetUpSteps({ setUp }: { setUp: Overview['setUp'] }) {
  const t = useTexts('setUp');
  const { data: saved } = useSavedSite();
  const hide = useHiding();
  if (!saved?.data.showsSetUpSteps) return null;
  const count = steps.filter((step) => setUp[step]).length;
  const progress = t('progress', { count, total: steps.length });
  return (
    <Section
      title={t('title')}
      description={progress}
      action={<QuietButton label={t('hide')} onClick={hide} />}
    >
      <Checklist progress={{ text: progress, count, total: steps.length }}>
        {steps.map((step) => (
          <CheckItem key={step} isDone={setUp[step]} state={t(setUp[step] ? 'done' : 'toDo')}>
            {setUp[step] ? t(`step.${step}`) : <StepToDo step={step} />}
          </CheckItem>
        ))}
      </Checklist>
    </Section>
  );
}

/** The sections of the settings for steps. */
const sections = { domain: 'hosts', email: 'mail' } as const;

/** The pages of the other steps. */
const pages = {
  accessGroups: '/$site/groups',
  members: '/$site/add',
  accessRules: '/$site/rules',
  login: '/$site/members',
} as const satisfies Record<Exclude<Step, keyof typeof sections>, string>;

/** A step with the page on which it is done. */
function StepToDo({ step }: { step: Step }) {
  const t = useTexts('setUp');
  const name = t(`step.${step}`);
  return (
    <>
      {step === 'domain' || step === 'email' ? (
        <LinkText from="/$site" to="/$site/settings/$section" params={{ section: sections[step] }} fw={600}>
          {name}
        </LinkText>
      ) : (
        <LinkText from="/$site" to={pages[step]} fw={600}>
          {name}
        </LinkText>
      )}
      <Hint size="xs">{t(`help.${step}`)}</Hint>
    </>
  );
}

/** Hides the steps for all operators of the site. The settings show them again. */
function useHiding(): () => void {
  const t = useTexts('setUp');
  const { gatehouse, keys } = useSiteApi();
  const undoable = useUndoable();
  const send = (showsSetUpSteps: boolean) => gatehouse.site.update({ showsSetUpSteps });
  const hidden = (saved: { data: Site }) => ({ ...saved, data: { ...saved.data, showsSetUpSteps: false } });
  return () =>
    void undoable({
      done: t('hidden'),
      send: () => send(false),
      undo: () => send(true),
      optimistic: [{ queryKey: keys.settings, replace: hidden }],
      invalidates: [keys.settings, keys.events.all],
    });
}
