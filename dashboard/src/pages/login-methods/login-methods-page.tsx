import { Stack } from '@mantine/core';
import { SettingsFrame } from '../settings/settings-frame.tsx';
import { ProvidersSection } from './providers-section.tsx';
import { UsageSection } from './usage-section.tsx';
import { WaysSection } from './ways-section.tsx';

/** How members log in, and how many use each way. It is a section of the settings. */
export function LoginMethodsPage() {
  return (
    <SettingsFrame section="login">
      <Stack gap="xl">
        <WaysSection />
        <ProvidersSection />
        <UsageSection />
      </Stack>
    </SettingsFrame>
  );
}
