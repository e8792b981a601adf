import type { PageCode } from '@gatehouse/client';
import { maxRuleCodes } from '@gatehouse/contract/rule-paths';
import { Checkbox, Group, MultiSelect, type MultiSelectProps, Stack } from '@mantine/core';
import { useState } from 'react';
import { codeName, useRuleNames } from '../../../components/access/rule-names.ts';
import { IconPlus } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { loadTexts, useTexts } from '../../../languages/texts.tsx';
import { usePageCodes } from '../../../queries/access/page-codes.ts';
import { CodeDialog, type CodeStep } from '../codes/code-dialog.tsx';
import type { RuleForm } from './rule-form.ts';

// The dialog for a new code should not wait for its texts.
loadTexts('codes').catch(() => {});

type CodesFieldProps = Pick<MultiSelectProps, 'value' | 'error'> & { onChange: (ids: string[]) => void };

/** The page codes that a rule accepts, one of which can be created here. */
export function CodesField({ value = [], onChange, error }: CodesFieldProps) {
  const t = useTexts('rules');
  const { data: codes = [], isSuccess } = usePageCodes();
  const [step, setStep] = useState<CodeStep | null>(null);
  return (
    <Stack gap="xs">
      <CodesChoice
        value={value}
        onChange={onChange}
        error={error}
        label={t('codes')}
        description={t('codesHelp')}
        nothingFoundMessage={isSuccess && t('noCodes')}
        placeholder={isSuccess && codes.length === 0 ? t('noCodes') : ''}
        maxValues={maxRuleCodes}
      />
      <Group>
        <ActionButton
          icon={IconPlus}
          size="xs"
          label={t('newCode')}
          onClick={() => setStep({ name: 'create' })}
        />
      </Group>
      <CodeDialog
        step={step}
        show={setStep}
        close={() => setStep(null)}
        created={({ id }: PageCode) => onChange([...value, id])}
        stackId="code"
      />
    </Stack>
  );
}

/** Page codes by their labels. A rule names a code until an operator removes it, also after it was revoked. */
export function CodesChoice({ value = [], ...props }: Omit<MultiSelectProps, 'data'>) {
  const t = useTexts('access');
  const names = useRuleNames();
  const { data: codes = [] } = usePageCodes();
  const known = new Set(codes.map(({ id }) => id));
  const others = value.filter((id) => !known.has(id));
  return (
    <MultiSelect
      {...props}
      value={value}
      data={[
        ...codes.map((code) => ({ value: code.id, label: codeName(t, code) })),
        ...others.map((id) => ({ value: id, label: names.codes(id).name })),
      ]}
      searchable
    />
  );
}

/** Page codes that give access to others than members too. */
export function AlsoCodeFields({ form }: { form: RuleForm }) {
  const t = useTexts('rules');
  return (
    <>
      <Checkbox
        {...form.getInputProps('alsoCode', { type: 'checkbox' })}
        label={t('alsoCode')}
        description={t('alsoCodeHelp')}
      />
      {form.values.alsoCode && <CodesField {...form.getInputProps('pageCodeIds')} />}
    </>
  );
}
