import type { AccessRule } from '@gatehouse/client';
import { maxRulePathLength, type ProgramPlace } from '@gatehouse/contract/rule-paths';
import { Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import { isCombinable } from '../../../components/access/access-values.ts';
import { DialogButtons } from '../../../components/forms/dialog-buttons.tsx';
import { MoreFields } from '../../../components/forms/more-fields.tsx';
import { Dialog } from '../../../components/layout/dialog.tsx';
import { decodedPath, toUrl } from '../../../format/addresses/pasted-url.ts';
import { readSiteUrl } from '../../../format/addresses/site-url.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useHosts, useSavedSite } from '../../../queries/saved-site.ts';
import { DialogStack } from '../codes/code-dialog.tsx';
import { AlsoCodeFields } from './codes-field.tsx';
import { HostsField } from './hosts-field.tsx';
import { ReachFields } from './reach-fields.tsx';
import { type RuleForm as Form, useRuleForm } from './rule-form.ts';
import { isInMore, toRule, usesMore } from './rule-values.ts';
import { unfinishedTimes } from './time-field.tsx';
import { ConditionsField, WhoFields } from './who-fields.tsx';

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
  const [isMoreOpen, more] = useDisclosure(usesMore(form.getInitialValues()));
  const takeUrl = useTakeUrl(form, more.open);
  const submit = form.onSubmit(
    (values) => {
      apply(toRule(values));
      close();
    },
    (errors, values) => {
      if (Object.keys(errors).some((field) => isInMore(field, values))) more.open();
    },
  );

  function submitComplete(event: FormEvent<HTMLFormElement>): void {
    if (takeUrl(form.getValues().path) === 'other_host') {
      event.preventDefault();
      return;
    }
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
        <PathField form={form} takeUrl={takeUrl} />
        <WhoFields form={form} />
        <MoreFields label={t('more')} description={t('moreHelp')} isOpen={isMoreOpen} toggle={more.toggle}>
          <ConditionsField form={form} />
          {isCombinable(form.values.access) && <AlsoCodeFields form={form} />}
          <HostsField form={form} />
          <ReachFields form={form} />
        </MoreFields>
        <DialogButtons cancel={close} submit={t('apply')} />
      </Stack>
    </form>
  );
}

interface PathFieldProps {
  form: Form;
  takeUrl: TakeUrl;
}

function PathField({ form, takeUrl }: PathFieldProps) {
  const t = useTexts('rules');
  return (
    <TextInput
      {...form.getInputProps('path')}
      onPaste={(event) => {
        if (takeUrl(event.clipboardData.getData('text')) === 'taken') event.preventDefault();
      }}
      label={t('path')}
      description={t('pathHelp')}
      maxLength={maxRulePathLength}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      data-autofocus
    />
  );
}

type TakeUrl = (text: string) => 'taken' | 'other_host' | 'no_url';

/** Takes the path of a whole URL of the site, and its host if the site has several. A URL of another host is an error. */
function useTakeUrl(form: Form, openMore: () => void): TakeUrl {
  const t = useTexts('access');
  const hosts = useSavedSite().data?.data.hosts ?? [];
  const hasSeveral = useHosts().length > 1;
  return (text) => {
    const url = toUrl(text);
    const read = url && readSiteUrl(text, hosts);
    if (!read || read === 'no_path') return 'no_url';
    if (read === 'other_host') {
      form.setFieldError('path', t('otherHost', { host: url.host }));
      return read;
    }
    form.setFieldValue('path', decodedPath(url));
    if (hasSeveral && read.host !== undefined) {
      form.setFieldValue('hosts', [read.host]);
      openMore();
    }
    return 'taken';
  };
}
