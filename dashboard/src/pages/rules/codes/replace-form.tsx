import type { PageCode } from '@gatehouse/client';
import { useForm } from '@mantine/form';
import { Notice } from '../../../components/feedback/notice.tsx';
import { DialogForm } from '../../../components/forms/dialog-form.tsx';
import { useSubmission } from '../../../hooks/use-submission.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useSiteApi } from '../../../queries/site-api.ts';
import { CodeTypeFields } from './code-type-fields.tsx';
import { type CodeValues, codeTypes, isTooShort, newCodeValues, textOf, toCode } from './code-values.ts';

interface ReplaceFormProps {
  code: PageCode;
  close: () => void;
  done: (code: PageCode, text: string) => void;
}

/** Asks whether those who have entered a code shall lose access, and replaces it. */
export function ReplaceForm({ code: { id, type, usedCount }, close, done }: ReplaceFormProps) {
  const t = useTexts('codes');
  const { gatehouse, keys } = useSiteApi();
  const form = useForm<CodeValues>({
    initialValues: { ...newCodeValues, type: codeTypes.find((each) => each === type) ?? 'words' },
    validate: { code: (_, values) => (isTooShort(values) ? t('ownCodeMissing') : null) },
  });
  const replacement = useSubmission(form, {
    send: (values) => gatehouse.pageCodes.replace(id, toCode(values)),
    onSuccess: (code) => done(code, textOf(code, form.getValues())),
    invalidates: [keys.pageCodes],
  });
  return (
    <DialogForm form={replacement} cancel={close} submit={t('replaceIt')}>
      <Notice state="attention">
        {usedCount === 0 ? t('replaceUnused') : t('replaceText', { count: usedCount })}
      </Notice>
      <CodeTypeFields form={form} />
    </DialogForm>
  );
}
