import { maxLogoBytes } from '@gatehouse/contract/limits';
import { ActionButton } from '../../components/layout/action-button.tsx';
import { passFocusOn } from '../../hooks/focus.ts';
import '@mantine/dropzone/styles.css';
import { Group, Image, Input, Stack, Text } from '@mantine/core';
import { Dropzone, type FileWithPath } from '@mantine/dropzone';
import { ColorField } from '../../components/forms/color-field.tsx';
import { IconPhoto } from '../../components/icons/icons.ts';
import { Hint } from '../../components/layout/hint.tsx';
import { Section } from '../../components/layout/section.tsx';
import { useTexts } from '../../languages/texts.tsx';
import type { SettingsForm } from './settings-form.ts';

const logoTypes = ['image/png', 'image/jpeg', 'image/webp'];

interface LookSectionProps {
  form: SettingsForm;
  /** Whether the site has a saved logo. */
  hasLogo: boolean;
  disabled: boolean;
}

/** The appearance of login pages and emails. */
export function LookSection({ form, hasLogo, disabled }: LookSectionProps) {
  const t = useTexts('settings');
  return (
    <Section title={t('look')}>
      <Stack>
        <ColorField
          {...form.getInputProps('color')}
          label={t('color')}
          description={t('colorHelp')}
          maw="16rem"
        />
        <Logo form={form} hasLogo={hasLogo} disabled={disabled} />
      </Stack>
    </Section>
  );
}

function Logo({ form, hasLogo, disabled }: LookSectionProps) {
  const t = useTexts('settings');
  const { logo } = form.values;
  const isThere = logo === undefined ? hasLogo : logo !== null;

  async function readLogo([file]: FileWithPath[]): Promise<void> {
    if (!file) return;
    form.clearFieldError('logo');
    form.setFieldValue('logo', await readAsDataUrl(file));
  }

  return (
    <Input.Wrapper label={t('logo')} labelElement="div" error={form.errors.logo}>
      <Stack gap="xs" mt={4}>
        <Dropzone
          accept={logoTypes}
          maxSize={maxLogoBytes}
          maxFiles={1}
          multiple={false}
          disabled={disabled}
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

function readAsDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
