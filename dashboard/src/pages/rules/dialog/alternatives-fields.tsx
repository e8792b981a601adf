import { maxAlternatives, maxNetworks } from '@gatehouse/contract/rule-paths';
import { Group, Select, SimpleGrid, Stack } from '@mantine/core';
import { FieldFrame } from '../../../components/forms/field-frame.tsx';
import { IconPlus, IconTrash } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { IconAction } from '../../../components/layout/icon-action.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { mayNeedGroups, toAlternativeValues } from '../conditions/alternative-values.ts';
import { CodesField } from './codes-field.tsx';
import { AlternativeGroupFields } from './group-fields.tsx';
import type { RuleForm } from './rule-form.ts';
import { TimeField } from './time-field.tsx';
import { WordsField } from './words-field.tsx';

const accesses = ['public', 'members', 'paying_members', 'code'] as const;

/** The alternatives of a conditional rule. */
export function AlternativesFields({ form }: { form: RuleForm }) {
  const t = useTexts('rules');
  const { alternatives } = form.values;
  return (
    <Stack gap="sm">
      <Hint>{t('alternativesHelp')}</Hint>
      {alternatives.map(({ id }, index) => (
        <AlternativeFields key={id} form={form} index={index} />
      ))}
      {alternatives.length < maxAlternatives && (
        <Group>
          <ActionButton
            icon={IconPlus}
            size="xs"
            label={t('alternative.add')}
            onClick={() => form.insertListItem('alternatives', toAlternativeValues({ access: 'members' }))}
          />
        </Group>
      )}
    </Stack>
  );
}

interface AlternativeFieldsProps {
  form: RuleForm;
  index: number;
}

function AlternativeFields({ form, index }: AlternativeFieldsProps) {
  const t = useTexts('rules');
  const at = `alternatives.${index}.` as const;
  const accessTexts = useTexts('access');
  const { access } = form.values.alternatives[index]!;
  return (
    <FieldFrame legend={t('alternative', { number: index + 1 })}>
      <Group align="flex-start" wrap="nowrap">
        <Select
          {...form.getInputProps(`${at}access`)}
          flex={1}
          label={t('alternative.who')}
          data={accesses.map((each) => ({ value: each, label: accessTexts(each) }))}
          allowDeselect={false}
        />
        {form.values.alternatives.length > 1 && <RemoveButton form={form} index={index} />}
      </Group>
      {mayNeedGroups(access) && <AlternativeGroupFields form={form} index={index} />}
      {access === 'code' && <CodesField {...form.getInputProps(`${at}pageCodeIds`)} />}
      <LimitFields form={form} index={index} />
    </FieldFrame>
  );
}

function RemoveButton({ form, index }: AlternativeFieldsProps) {
  const t = useTexts('rules');
  const remove = t('alternative.remove', { number: index + 1 });
  return (
    <IconAction
      icon={IconTrash}
      label={remove}
      title={remove}
      onClick={() => form.removeListItem('alternatives', index)}
    />
  );
}

/** When and from where. */
function LimitFields({ form, index }: AlternativeFieldsProps) {
  const t = useTexts('rules');
  const at = `alternatives.${index}.` as const;
  const { from, until, networks } = form.values.alternatives[index]!;

  function field<Value>(name: 'from' | 'until' | 'networks', value: Value) {
    const { error, onChange } = form.getInputProps(`${at}${name}`);
    return {
      name: `${at}${name}`,
      value,
      error,
      onChange: (changed: Value) => {
        onChange(changed);
        // Whether everyone would always have access, and whether the times fit, depends on all of these fields.
        for (const each of ['access', 'until']) form.clearFieldError(`${at}${each}`);
      },
    };
  }

  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TimeField
          {...field('from', from)}
          label={t('alternative.from')}
          description={t('alternative.timeHelp')}
        />
        <TimeField
          {...field('until', until)}
          label={t('alternative.until')}
          description={t('alternative.timeHelp')}
        />
      </SimpleGrid>
      <WordsField
        {...field('networks', networks)}
        label={t('alternative.networks')}
        description={t('alternative.networksHelp')}
        maxTags={maxNetworks}
      />
    </>
  );
}
