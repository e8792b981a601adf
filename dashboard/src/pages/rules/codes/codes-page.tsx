import { useState } from 'react';
import { Notice } from '../../../components/feedback/notice.tsx';
import { QueryState } from '../../../components/feedback/query-state.tsx';
import { IconClockOff, IconKey, IconPlus } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { EmptyState } from '../../../components/layout/empty-state.tsx';
import { BackLink } from '../../../components/layout/links.tsx';
import { PageHeader } from '../../../components/layout/page-header.tsx';
import { Contact } from '../../../components/people/contact.tsx';
import { usePageCommand } from '../../../hooks/use-page-command.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { usePageCodes } from '../../../queries/access/page-codes.ts';
import { useMay } from '../../../session/site.ts';
import { CodeDialog, type CodeStep } from './code-dialog.tsx';
import { CodeTable } from './code-table.tsx';

/** The page codes of the site. */
export function CodesPage() {
  const t = useTexts('codes');
  const mayWrite = useMay('site:write');
  const { data: codes, error, refetch } = usePageCodes();
  const [step, setStep] = useState<CodeStep | null>(null);
  const open = () => setStep({ name: 'create' });
  usePageCommand('new-page-code', open);
  const create = mayWrite && (
    <ActionButton variant="filled" icon={IconPlus} label={t('create')} onClick={open} />
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        back={<BackLink to="/$site/rules">{t('back')}</BackLink>}
        actions={create}
      />
      <QueryState query={{ data: codes, error, refetch }} rows={3} />
      {codes?.some(({ status }) => status === 'paused') && <PausedNote />}
      {codes?.length === 0 && (
        <EmptyState
          icon={IconKey}
          title={t('empty')}
          action={create || <Contact needs={['site:write']} isReadOnly />}
        >
          {t('emptyText')}
        </EmptyState>
      )}
      {codes && codes.length > 0 && <CodeTable codes={codes} mayWrite={mayWrite} open={setStep} />}
      <CodeDialog step={step} show={setStep} close={() => setStep(null)} />
    </>
  );
}

function PausedNote() {
  const t = useTexts('codes');
  return (
    <Notice state="attention" icon={IconClockOff} title={t('paused')} mb="md">
      {t('pausedText')}
    </Notice>
  );
}
