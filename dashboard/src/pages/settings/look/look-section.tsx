import { Stack } from '@mantine/core';
import { ColorField } from '../../../components/forms/color-field.tsx';
import { useTexts } from '../../../languages/texts.tsx';
import { SectionForm } from '../form/section-form.tsx';
import { Preview } from '../preview/preview.tsx';
import { LogoField } from './logo-field.tsx';
import { lookSection } from './look-values.ts';

/** The appearance of login pages and emails. */
export function LookSection() {
  const t = useTexts('settings');
  return (
    <SectionForm
      section={lookSection}
      label={t('section.look')}
      aside={(values, site) => <Preview site={site} unsaved={values} />}
    >
      {(form, { logoUrl }) => (
        <Stack>
          <ColorField
            {...form.getInputProps('color')}
            label={t('color')}
            description={t('colorHelp')}
            maw="24rem"
          />
          <LogoField form={form} hasLogo={logoUrl !== null} />
        </Stack>
      )}
    </SectionForm>
  );
}
