import type { AccessLevel, AccessRule, GroupMatch } from '@gatehouse/client';
import { maxRuleGroups, maxRulePathLength } from '@gatehouse/contract/rule-paths';
import {
  Button,
  Group,
  Input,
  Modal,
  MultiSelect,
  type MultiSelectProps,
  Radio,
  SegmentedControl,
  Stack,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTexts } from '../../languages/texts.tsx';
import { useAccessGroups } from '../../parts/access-groups.ts';
import { onPasteOfAddress, plainPath } from '../../parts/pasted-address.ts';
import { accessLevels } from './access-text.tsx';
import { pathFault, tidyPath } from './rule-tree.ts';

interface RuleDialogProps {
  /** The rule as it is to begin with; for a new one, what is known of it. */
  rule: AccessRule;
  title: string;
  /** The paths of the other rules. */
  taken: readonly string[];
  apply: (rule: AccessRule) => void;
  close: () => void;
}

/** Asks for a path and who may see it. Nothing is saved yet. */
export function RuleDialog({ rule, title, taken, apply, close }: RuleDialogProps) {
  const t = useTexts('rules');
  const parts = useTexts('parts');
  const form = useForm({
    initialValues: {
      path: rule.path,
      access: rule.access as AccessLevel,
      groupIds: rule.access === 'groups' ? rule.groupIds : [],
      match: (rule.access === 'groups' && rule.match) || 'any',
    },
    validate: {
      path: (path) => {
        const fault = pathFault(path, taken);
        return fault && t(`fault.${fault.reason}`, fault.values);
      },
      groupIds: (ids, { access }) => (access === 'groups' && ids.length === 0 ? t('groupsMissing') : null),
    },
  });

  function submit({ path, access, groupIds, match }: typeof form.values): void {
    const tidy = tidyPath(path);
    apply(access === 'groups' ? { path: tidy, access, groupIds, match } : { path: tidy, access });
    close();
  }

  return (
    <Modal opened onClose={close} title={title}>
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack>
          <TextInput
            {...form.getInputProps('path')}
            onPaste={onPasteOfAddress((address) => form.setFieldValue('path', plainPath(address)))}
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
          {form.values.access === 'groups' && (
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
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {parts('cancel')}
            </Button>
            <Button type="submit">{t('apply')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function GroupChoice({ value = [], ...props }: Pick<MultiSelectProps, 'value' | 'onChange' | 'error'>) {
  const t = useTexts('rules');
  const { data: groups = [], isSuccess } = useAccessGroups();
  const known = new Set(groups.map(({ id }) => id));
  // A rule goes on naming a group that was deleted, until somebody takes it out.
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
