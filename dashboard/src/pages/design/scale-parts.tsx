import { Box, ColorSwatch, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Section } from '../../components/layout/section.tsx';

const sizes = ['xl', 'lg', 'md', 'sm', 'xs'] as const;
const pixels = { xl: 20, lg: 16, md: 14, sm: 13, xs: 12 };
const spaces = { xs: 8, sm: 12, md: 16, lg: 24, xl: 32 };
const colors = [
  ['Brand: the primary action, links, focus, selection', '--mantine-primary-color-filled'],
  ['Good', '--gatehouse-good'],
  ['Attention', '--gatehouse-attention'],
  ['Bad', '--gatehouse-bad'],
  ['Neutral', '--gatehouse-neutral'],
  ['Text', '--mantine-color-text'],
  ['Quiet text', '--mantine-color-dimmed'],
  ['Line', '--gatehouse-line'],
  ['Sunken', '--gatehouse-sunken'],
] as const;

/** The sizes of text, the spaces, and the colors with what they mean. */
export function ScaleParts() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
      <Section title="Text">
        <Stack gap={4}>
          {sizes.map((size) => (
            <Text key={size} size={size}>
              {size}: {pixels[size]} pixels
            </Text>
          ))}
        </Stack>
      </Section>
      <Section title="Space">
        <Stack gap="xs">
          {Object.entries(spaces).map(([name, width]) => (
            <Group key={name} gap="sm">
              <Box w={width} h={12} bg="var(--mantine-primary-color-filled)" />
              <Text size="sm">
                {name}: {width} pixels
              </Text>
            </Group>
          ))}
        </Stack>
      </Section>
      <Section title="Colors">
        <Stack gap={4}>
          {colors.map(([name, variable]) => (
            <Group key={name} gap="sm" wrap="nowrap">
              <ColorSwatch size={14} color={`var(${variable})`} />
              <Text size="sm">{name}</Text>
            </Group>
          ))}
        </Stack>
      </Section>
    </SimpleGrid>
  );
}
