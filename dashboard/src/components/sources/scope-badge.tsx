import { useTexts } from '../../languages/texts.tsx';
import { useSources } from '../../queries/sources.ts';
import { Tag } from '../state/tag.tsx';
import { SourceLink } from './source-link.tsx';

/** Marks a group that is managed by an external workspace, with a link to its source if the operator may see it. */
export function ScopeBadge({ sourceId }: { sourceId: string | null }) {
  const t = useTexts('common');
  const source = useSources(sourceId !== null).data?.find(({ id }) => id === sourceId);
  return (
    <Tag title={t('scopeHelp')}>
      {source
        ? t.rich('fromSource', { source: <SourceLink source={source} underline="always" /> })
        : t('scope')}
    </Tag>
  );
}
