import { maxLogoBytes } from '@gatehouse/contract/limits';
import '@mantine/dropzone/styles.css';
import { Group, Image, Input, Stack, Text } from '@mantine/core';
import { Dropzone, type FileWithPath } from '@mantine/dropzone';
import type { UseFormReturnType } from '@mantine/form';
import { IconPhoto } from '../../../components/icons/icons.ts';
import { ActionButton } from '../../../components/layout/action-button.tsx';
import { Hint } from '../../../components/layout/hint.tsx';
import { passFocusOn } from '../../../hooks/focus.ts';
import { useTexts } from '../../../languages/texts.tsx';
import { useMay } from '../../../session/site.ts';
import type { LookValues } from './look-values.ts';

const logoTypes = ['image/png', 'image/jpeg', 'image/webp'];

interface LogoFieldProps {
  form: UseFormReturnType<LookValues>;
  /** Whether the site has a saved logo. */
  hasLogo: boolean;
}

/** The logo, which is dropped or chosen. */
export function LogoField({ form, hasLogo }: LogoFieldProps) {
  const t = useTexts('settings');
  const { logo } = form.values;
  const isThere = logo === undefined ? hasLogo : logo !== null;
  return (
    <Input.Wrapper label={t('logo')} labelElement="div" error={form.errors.logo}>
      <Stack gap="xs" mt={4}>
        <LogoDrop form={form} />
        {isThere && (
          <Group justify="space-between" gap="xs">
            <Hint size="xs">{t(logo ? 'logoNew' : 'logoSet')}</Hint>
            <ActionButton
              label={t('logoRemove')}
              ref={passFocusOn}
              size="compact-sm"
              onClick={() => form.setFieldValue('logo', hasLogo ? null : undefined)}
            />
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

function LogoDrop({ form }: { form: UseFormReturnType<LookValues> }) {
  const t = useTexts('settings');
  const { logo } = form.values;

  async function readLogo([file]: FileWithPath[]): Promise<void> {
    if (!file) return;
    form.clearFieldError('logo');
    form.setFieldValue('logo', await readAsDataUrl(file));
  }

  return (
    <Dropzone
      accept={logoTypes}
      maxSize={maxLogoBytes}
      maxFiles={1}
      multiple={false}
      disabled={!useMay('site:write')}
      onDrop={readLogo}
      onReject={() => form.setFieldError('logo', t('logoWrong'))}
      inputProps={{ 'aria-label': t('logoDrop') }}
      p="md"
    >
      <Group gap="sm" wrap="nowrap">
        {logo ? (
          <Image src={logo} alt={t('logoPicture')} h={40} w="auto" maw={160} fit="contain" />
        ) : (
          <IconPhoto size={28} stroke={1.4} aria-hidden />
        )}
        <div>
          <Text>{t('logoDrop')}</Text>
          <Hint size="xs">{t('logoHelp')}</Hint>
        </div>
      </Group>
    </Dropzone>
  );
}

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
