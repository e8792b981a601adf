import type { AccessLevel, AccessRule, GroupMatch } from '@gatehouse/client';
import { maxRuleGroups, maxRulePathLength } from '@gatehouse/contract/rule-paths';
import {
  Input,
  MultiSelect,
  type MultiSelectProps,
  Radio,
  SegmentedControl,
  Stack,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { Dialog } from '../../components/layout/dialog.tsx';
import { DialogButtons } from '../../components/layout/dialog-buttons.tsx';
import { decodedPath, onPasteUrl } from '../../format/addresses/pasted-url.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../queries/access-groups.ts';
import { accessLevels } from './access-text.tsx';
import { pathFault, tidyPath } from './rule-tree.ts';

interface RuleFormProps {
  /** The initial rule; for a new one, its initial values. */
  rule: AccessRule;
  /** The paths of the other rules. */
  otherPaths: readonly string[];
  apply: (rule: AccessRule) => void;
  close: () => void;
}

interface RuleDialogProps extends Omit<RuleFormProps, 'rule'> {
  /** Null while no rule is being edited. */
  rule: AccessRule | null;
  title: string;
}

/** A form for a path and who has access to it. Nothing is saved yet. */
export function RuleDialog({ rule, title, ...rest }: RuleDialogProps) {
  return (
    <Dialog opened={rule !== null} onClose={rest.close} title={title}>
      {rule && <RuleForm rule={rule} {...rest} />}
    </Dialog>
  );
}

function RuleForm({ rule, otherPaths, apply, close }: RuleFormProps) {
  const t = useTexts('rules');
  const form = useRuleForm(rule, otherPaths);

  function submit(values: Values): void {
    apply(toRule(values));
    close();
  }

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
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
        <Radio.Group {...form.getInputProps('access')} label={t('whoSees')}>
          <Stack gap="sm" mt="xs">
            {accessLevels.map((level) => (
              <Radio key={level} value={level} label={t(level)} description={t(`${level}Help`)} />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.access === 'groups' && <GroupFields form={form} />}
        <DialogButtons cancel={close} submit={t('apply')} />
      </Stack>
    </form>
  );
}

type Values = { path: string; access: AccessLevel; groupIds: string[]; match: GroupMatch };

function useRuleForm(rule: AccessRule, otherPaths: readonly string[]) {
  const t = useTexts('rules');
  return useForm<Values>({
    initialValues: {
      path: rule.path,
      access: rule.access,
      groupIds: rule.access === 'groups' ? rule.groupIds : [],
      match: (rule.access === 'groups' && rule.match) || 'any',
    },
    validate: {
      path: (path) => {
        const fault = pathFault(path, otherPaths);
        return fault && t(`fault.${fault.reason}`, fault.values);
      },
      groupIds: (ids, { access }) => (access === 'groups' && ids.length === 0 ? t('groupsMissing') : null),
    },
  });
}

function toRule({ path, access, groupIds, match }: Values): AccessRule {
  const tidy = tidyPath(path);
  return access === 'groups' ? { path: tidy, access, groupIds, match } : { path: tidy, access };
}

/** The groups, and whether one of them is enough. */
function GroupFields({ form }: { form: UseFormReturnType<Values> }) {
  const t = useTexts('rules');
  return (
    <>
      <GroupChoice {...form.getInputProps('groupIds')} />
      <Input.Wrapper label={t('match')} labelElement="div">
        <SegmentedControl
          display="flex"
          mt={4}
          aria-label={t('match')}
          {...form.getInputProps('match')}
          data={(['any', 'all'] satisfies GroupMatch[]).map((value) => ({ value, label: t(value) }))}
        />
      </Input.Wrapper>
    </>
  );
}

function GroupChoice({ value = [], ...props }: Pick<MultiSelectProps, 'value' | 'onChange' | 'error'>) {
  const t = useTexts('rules');
  const { data: groups = [], isSuccess } = useAccessGroups();
  const known = new Set(groups.map(({ id }) => id));
  // A rule still names a deleted group until an operator removes the group from it.
  const deleted = isSuccess ? value.filter((id) => !known.has(id)) : [];
  return (
    <MultiSelect
      {...props}
      value={value}
      label={t('whichGroups')}
      data={[
        ...groups.map(({ id, name }) => ({ value: id, label: name })),
        ...deleted.map((id) => ({ value: id, label: t('deletedGroup') })),
      ]}
      nothingFoundMessage={t('noGroups')}
      searchable
      limit={100}
      maxValues={maxRuleGroups}
    />
  );
}
