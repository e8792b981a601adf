import type { AccessLevel, AccessRule } from '@gatehouse/client';
import { maxRulePathLength, type ProgramPlace } from '@gatehouse/contract/rule-paths';
import { Radio, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { accessLevels } from '../../../components/access/access-text.tsx';
import { isCombinable } from '../../../components/access/access-values.ts';
import { DialogButtons } from '../../../components/forms/dialog-buttons.tsx';
import { Dialog } from '../../../components/layout/dialog.tsx';
import { decodedPath, onPasteUrl } from '../../../format/addresses/pasted-url.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { DialogStack } from '../codes/code-dialog.tsx';
import { AlternativesFields } from './alternatives-fields.tsx';
import { AlsoCodeFields, CodesField } from './codes-field.tsx';
import { GroupFields } from './group-fields.tsx';
import { HostsField } from './hosts-field.tsx';
import { ReachFields } from './reach-fields.tsx';
import { type RuleForm as Form, useRuleForm } from './rule-form.ts';
import { toRule } from './rule-values.ts';
import { unfinishedTimes } from './time-field.tsx';

interface RuleFormProps {
  /** The initial rule; for a new one, its initial values. */
  rule: AccessRule;
  /** The places of the other rules. */
  others: readonly ProgramPlace[];
  apply: (rule: AccessRule) => void;
  close: () => void;
}

interface RuleDialogProps {
  /** Null while no rule is being edited. */
  rule: AccessRule | null;
  /** The places of the other rules. */
  others: readonly ProgramPlace[];
  title: string;
  apply: (rule: AccessRule) => void;
  close: () => void;
}

/** A form for a path and who has access to it. Nothing is saved yet. */
export function RuleDialog({ rule, title, ...rest }: RuleDialogProps) {
  return (
    <DialogStack>
      <Dialog opened={rule !== null} onClose={rest.close} title={title} size="lg" stackId="rule">
        {rule && <RuleForm rule={rule} {...rest} />}
      </Dialog>
    </DialogStack>
  );
}

function RuleForm({ rule, others, apply, close }: RuleFormProps) {
  const t = useTexts('rules');
  const form = useRuleForm(rule, others);
  const submit = form.onSubmit((values) => {
    apply(toRule(values));
    close();
  });

  function submitComplete(event: FormEvent<HTMLFormElement>): void {
    // A time that is only half entered has no value: it would be no limit at all.
    const unfinished = unfinishedTimes(event.currentTarget);
    if (unfinished.length === 0) submit(event);
    else {
      event.preventDefault();
      form.setErrors(Object.fromEntries(unfinished.map((name) => [name, t('alternative.timeUnfinished')])));
    }
  }

  return (
    <form onSubmit={submitComplete} noValidate>
      <Stack>
        <TextInput
          {...form.getInputProps('path')}
          onPaste={onPasteUrl((url) => form.setFieldValue('path', decodedPath(url)))}
          label={t('path')}
          description={t('pathHelp')}
          maxLength={maxRulePathLength}
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          data-autofocus
        />
        <ReachFields form={form} />
        <HostsField form={form} />
        <AccessFields form={form} />
        <DialogButtons cancel={close} submit={t('apply')} />
      </Stack>
    </form>
  );
}

/** Who has access. */
function AccessFields({ form }: { form: Form }) {
  const t = useTexts('rules');
  const access = useTexts('access');
  const { path, appliesTo } = form.values;
  const isRoot = path.trim() === '/' && appliesTo === 'folder';
  const helpOf = (level: AccessLevel) => t(level === 'public' && isRoot ? 'publicRoot.help' : `${level}Help`);
  return (
    <>
      <Radio.Group {...form.getInputProps('access')} label={t('whoSees')}>
        <Stack gap="sm" mt="xs">
          {accessLevels.map((level) => (
            <Radio key={level} value={level} label={access(level)} description={helpOf(level)} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.access === 'groups' && <GroupFields form={form} />}
      {form.values.access === 'code' && <CodesField {...form.getInputProps('pageCodeIds')} />}
      {isCombinable(form.values.access) && <AlsoCodeFields form={form} />}
      {form.values.access === 'conditional' && <AlternativesFields form={form} />}
    </>
  );
}
