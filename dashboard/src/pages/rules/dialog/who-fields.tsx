import type { AccessLevel } from '@gatehouse/client';
import { Checkbox, Input, Radio, Stack } from '@mantine/core';
import { accessLevels } from '../../../components/access/access-text.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { AlternativesFields } from './alternatives-fields.tsx';
import { CodesField } from './codes-field.tsx';
import { GroupFields } from './group-fields.tsx';
import type { RuleForm } from './rule-form.ts';
import { asConditional } from './rule-values.ts';

const choices = accessLevels.filter((level) => level !== 'conditional');

/** Who has access: one kind of visitors, or those who meet one of several conditions. */
export function WhoFields({ form }: { form: RuleForm }) {
  const t = useTexts('rules');
  if (form.values.access !== 'conditional') return <KindFields form={form} />;
  return (
    <Input.Wrapper label={t('whoSees')} labelElement="div" error={form.errors.access}>
      <AlternativesFields form={form} />
    </Input.Wrapper>
  );
}

function KindFields({ form }: { form: RuleForm }) {
  const t = useTexts('rules');
  const access = useTexts('access');
  const { path, appliesTo } = form.values;
  const isRoot = path.trim() === '/' && appliesTo === 'folder';
  const helpOf = (level: AccessLevel) => t(level === 'public' && isRoot ? 'publicRoot.help' : `${level}Help`);
  return (
    <>
      <Radio.Group {...form.getInputProps('access')} label={t('whoSees')}>
        <Stack gap="sm" mt="xs">
          {choices.map((level) => (
            <Radio key={level} value={level} label={access(level)} description={helpOf(level)} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.access === 'groups' && <GroupFields form={form} />}
      {form.values.access === 'code' && <CodesField {...form.getInputProps('pageCodeIds')} />}
    </>
  );
}

/** Whether conditions decide. They begin with what was chosen before. */
export function ConditionsField({ form }: { form: RuleForm }) {
  const t = useTexts('rules');
  const access = useTexts('access');
  const isConditional = form.values.access === 'conditional';
  return (
    <Checkbox
      label={access('conditional')}
      description={t('conditionalHelp')}
      checked={isConditional}
      onChange={() => form.setValues(isConditional ? { access: 'members' } : asConditional(form.getValues()))}
    />
  );
}
