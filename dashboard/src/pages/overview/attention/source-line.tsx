import { LinkButton } from '../../../components/layout/links.tsx';
import { AttentionRow } from '../../../components/page/attention-list.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { needsConfirmation, type WaitingSource } from './needs.ts';

/** A source that waits for a confirmation, or could not be synchronized. */
export function SourceLine({ source }: { source: WaitingSource }) {
  const t = useTexts('attention');
  const { id, name, reason } = source;
  const isQuestion = needsConfirmation(source);
  const why = `source.${reason}`;
  return (
    <AttentionRow
      state={isQuestion ? 'attention' : 'bad'}
      title={t(isQuestion ? 'sourceWaits' : 'sourceFailed', { name })}
      why={t.has(why) && t(why)}
      action={
        <LinkButton
          size="compact-sm"
          variant="default"
          from="/$site"
          to="/$site/sources/$sourceId"
          params={{ sourceId: id }}
        >
          {t('openSource')}
        </LinkButton>
      }
    />
  );
}
