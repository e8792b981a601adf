import type { AccessRule } from '@gatehouse/client';
import type { ProgramPlace } from '@gatehouse/contract/rule-paths';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useTexts } from '../../../languages/texts.tsx';
import { type RuleValues, ruleFaults, toRuleValues } from './rule-values.ts';

export type RuleForm = UseFormReturnType<RuleValues>;

/** @param others the places of the other rules */
export function useRuleForm(rule: AccessRule, others: readonly ProgramPlace[]): RuleForm {
  const t = useTexts('rules');
  return useForm<RuleValues>({
    initialValues: toRuleValues(rule),
    validate: (values) =>
      Object.fromEntries(
        Object.entries(ruleFaults(values, others)).map(([field, [text, values]]) => [field, t(text, values)]),
      ),
  });
}
