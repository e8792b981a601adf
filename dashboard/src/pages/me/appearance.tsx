import {
  Input,
  type MantineColorScheme,
  SegmentedControl,
  Select,
  Stack,
  useMantineColorScheme,
} from '@mantine/core';
import { ShortcutSwitch } from '../../components/keyboard/shortcut-switch.tsx';
import { Section } from '../../components/layout/section.tsx';
import { type Language, languages, readChoice, switchLanguage } from '../../languages/language.ts';
import { useTexts } from '../../languages/texts.tsx';

const asBrowser = 'browser';

/** The settings saved in this browser: colors, language and shortcuts. */
export function Appearance() {
  const t = useTexts('me');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title={t('appearance')} description={t('appearanceHelp')}>
      <Stack gap="md">
        <Input.Wrapper label={t('colors')} labelElement="div">
          <SegmentedControl
            mt={4}
            display="flex"
            w="fit-content"
            maw="100%"
            aria-label={t('colors')}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as MantineColorScheme)}
            data={[
              { value: 'auto', label: t('system') },
              { value: 'light', label: t('light') },
              { value: 'dark', label: t('dark') },
            ]}
          />
        </Input.Wrapper>
        <Select
          label={t('language')}
          maw="20rem"
          allowDeselect={false}
          value={readChoice() ?? asBrowser}
          onChange={(value) => switchLanguage(value === asBrowser ? null : (value as Language))}
          data={[
            { value: asBrowser, label: t('asBrowser') },
            ...Object.entries(languages).map(([value, label]) => ({ value, label })),
          ]}
        />
        <ShortcutSwitch />
      </Stack>
    </Section>
  );
}
