import { type AccessRule, GatehouseError, type PageCheck } from '@gatehouse/client';
import { Stack, Text } from '@mantine/core';
import { ErrorNote } from '../../../components/feedback/error-note.tsx';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { StateText } from '../../../components/state/state-text.tsx';
import type { SiteTarget } from '../../../format/addresses/site-url.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSavedSite } from '../../../queries/saved-site.ts';
import { useMay } from '../../../session/site.ts';
import type { RuleEditor } from '../rule-editor.ts';
import { ClosedFiles } from './closed-files.tsx';
import { usePageCheck } from './use-page-check.ts';

interface PageFilesProps {
  /** A page that everyone may see. */
  target: SiteTarget;
  /** The rule that makes it public. */
  rule: AccessRule | null;
  /** Whether the operator has requested the check of its files. */
  isRequested: boolean;
  request: () => void;
  editor: RuleEditor;
}

/** Whether everyone may also see the style sheets, scripts and pictures that a public page loads. */
export function PageFiles({ target, rule, isRequested, request, editor }: PageFilesProps) {
  const t = useTexts('rules');
  const mayCheck = useMay('site:write');
  const hasHost = useSavedSite().data?.data.hosts.length !== 0;
  // A rule for only a page leaves out its files, so that they are checked at once.
  const isChecked = rule?.appliesTo === 'page' || isRequested;
  const unsavedRules = editor.unsaved ? editor.rules : undefined;
  const check = usePageCheck(target, unsavedRules, mayCheck && hasHost && isChecked);
  if (!mayCheck || !hasHost) return null;
  return (
    <Stack gap="xs" role="group" aria-label={t('files.title')} aria-live="polite">
      {!isChecked && (
        <div>
          <ActionButton size="xs" label={t('files.check')} onClick={request} />
        </div>
      )}
      {check.isFetching && <Hint>{t('files.checking')}</Hint>}
      {!check.isFetching && check.error && (
        <CheckError error={check.error} isUnsaved={editor.unsaved} retry={() => void check.refetch()} />
      )}
      {!check.isFetching && check.data && <Result check={check.data} editor={editor} />}
    </Stack>
  );
}

interface CheckErrorProps {
  error: Error;
  isUnsaved: boolean;
  retry: () => void;
}

function CheckError({ error, isUnsaved, retry }: CheckErrorProps) {
  const t = useTexts('rules');
  const isClosed = error instanceof GatehouseError && error.code === 'page_not_public';
  // The website follows the saved rules, also for a check.
  if (isClosed && isUnsaved) return <Hint>{t('files.saveFirst')}</Hint>;
  return (
    <>
      <Text fw={500}>{t('files.notChecked')}</Text>
      <ErrorNote error={error} retry={retry} isPlain />
    </>
  );
}

function Result({ check, editor }: { check: PageCheck; editor: RuleEditor }) {
  const t = useTexts('rules');
  const { status, files, isComplete } = check;
  if (status !== 200) return <Hint>{t('files.status', { status })}</Hint>;
  const closed = files.filter(({ allowed }) => !allowed);
  return (
    <>
      {closed.length > 0 && <ClosedFiles files={closed} editor={editor} />}
      {closed.length === 0 && files.length > 0 && (
        <StateText state="good">{t('files.open', { count: files.length })}</StateText>
      )}
      {files.length === 0 && <Hint>{t('files.none')}</Hint>}
      {!isComplete && <Hint>{t('files.incomplete')}</Hint>}
    </>
  );
}
