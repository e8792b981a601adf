import { maxNameLength } from '@gatehouse/contract/limits';
import { maxRulePathLength } from '@gatehouse/contract/rule-paths';
import { Alert, Button, Code, CopyButton, Group, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FormErrorNote } from '../../components/feedback/error-note.tsx';
import { Dialog } from '../../components/layout/dialog.tsx';
import { DialogButtons } from '../../components/layout/dialog-buttons.tsx';
import { useFormErrors } from '../../hooks/use-form-errors.ts';
import { useTexts } from '../../languages/texts.tsx';
import { useSiteKeys } from '../../queries/keys.ts';
import { useGatehouse } from '../../session/site.ts';

interface AccessTokenDialogProps {
  memberId: string;
  opened: boolean;
  close: () => void;
}

/** Creates an access token, and then shows it once. */
export function AccessTokenDialog({ memberId, opened, close }: AccessTokenDialogProps) {
  const t = useTexts('member');
  return (
    <Dialog opened={opened} onClose={close} title={t('createTokenTitle')} size="lg">
      <Content memberId={memberId} close={close} />
    </Dialog>
  );
}

function Content({ memberId, close }: Omit<AccessTokenDialogProps, 'opened'>) {
  const t = useTexts('member');
  const { accessTokens } = useGatehouse().members;
  const client = useQueryClient();
  const keys = useSiteKeys();
  const form = useForm({
    initialValues: { name: '', pathPrefix: '/' },
    validate: { name: isNotEmpty(t('tokenNameMissing')) },
  });
  const formErrors = useFormErrors(form);
  const creation = useMutation({
    onMutate: formErrors.clear,
    mutationFn: ({ name, pathPrefix }: { name: string; pathPrefix: string }) =>
      accessTokens.create(memberId, { name, pathPrefix: pathPrefix.trim() || '/' }),
    onError: formErrors.show,
    onSuccess: () =>
      Promise.all(keys.affectedByMembers.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  if (creation.data) return <Secret secret={creation.data.secret} close={close} />;
  return (
    <form onSubmit={form.onSubmit((values) => creation.mutate(values))} noValidate>
      <Stack>
        <TextInput
          {...form.getInputProps('name')}
          label={t('tokenName')}
          description={t('tokenNameHelp')}
          maxLength={maxNameLength}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          {...form.getInputProps('pathPrefix')}
          label={t('tokenPath')}
          description={t('tokenPathHelp')}
          maxLength={maxRulePathLength}
          autoCapitalize="off"
          spellCheck={false}
        />
        <FormErrorNote failure={formErrors.failure} />
        <DialogButtons cancel={close} submit={t('createToken')} pending={creation.isPending} />
      </Stack>
    </form>
  );
}

function Secret({ secret, close }: { secret: string; close: () => void }) {
  const t = useTexts('member');
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
        {t('tokenOnce')}
      </Alert>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {secret}
      </Code>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          {t('tokenDone')}
        </Button>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
              data-autofocus
            >
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
