import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Menu,
  Modal,
  Portal,
  rem,
} from '@mantine/core';
import { passFocusOn } from '../hooks/focus.ts';
import { focusableButton } from './focusable-button.tsx';

/** The height of the bar above every page, in pixels. */
export const headerHeight = 48;

/** The accent color; 7 is the color of buttons. */
const teal: MantineColorsTuple = [
  '#f0fdfa',
  '#ccfbf1',
  '#99f6e4',
  '#5eead4',
  '#2dd4bf',
  '#14b8a6',
  '#0d9488',
  '#0f766e',
  '#115e59',
  '#134e4a',
];

/** The color of errors and destructive actions; 7 has enough contrast for white text. */
const red: MantineColorsTuple = [
  '#fdf0ef',
  '#fbdedc',
  '#f5b9b5',
  '#ee8f88',
  '#e66a61',
  '#df4b41',
  '#cf3a30',
  '#b3261e',
  '#8f1d17',
  '#6e150f',
];

/** The same grays as on the visitor pages: text, soft text, …, lines (4), surfaces from light to dark. */
const dark: MantineColorsTuple = [
  '#ececef',
  '#c9cbd1',
  '#a9acb5',
  '#7d818c',
  '#313339',
  '#2a2b30',
  '#222327',
  '#1b1c1f',
  '#111214',
  '#0c0d0f',
];

const headings = {
  fontWeight: '650',
  sizes: {
    h1: { fontSize: rem(22), lineHeight: '1.3' },
    h2: { fontSize: rem(22), lineHeight: '1.3' },
    h3: { fontSize: rem(16), lineHeight: '1.4' },
    h4: { fontSize: rem(16), lineHeight: '1.4' },
  },
};

/** The theme, including names for the buttons that Mantine adds to dialogs and fields. */
export const themeWith = (names: { close: string; clear: string }) =>
  createTheme({
    colors: { teal, red, dark },
    primaryColor: 'teal',
    primaryShade: 7,
    autoContrast: true,
    defaultRadius: 'md',
    spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(32) },
    radius: { sm: rem(4), md: rem(6), lg: rem(10) },
    cursorType: 'pointer',
    respectReducedMotion: true,
    fontFamily:
      // Inter has no Japanese characters, so a system font follows.
      '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Hiragino Sans", "Noto Sans CJK JP", sans-serif',
    fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
    headings,
    components: {
      ActionIcon: { defaultProps: { renderRoot: focusableButton } },
      Button: { defaultProps: { renderRoot: focusableButton } },
      Modal: Modal.extend({
        // A click outside would discard the input.
        defaultProps: {
          closeButtonProps: { 'aria-label': names.close },
          closeOnClickOutside: false,
          centered: true,
          radius: 'lg',
          // Closed without an animation, so that a notification shown next does not move.
          transitionProps: { duration: 200, transition: 'fade-down', exitDuration: 0 },
        },
        styles: { title: { fontSize: rem(16), fontWeight: 650, lineHeight: 1.4 } },
      }),
      // Configured by name, without an import, so that pages without these components do not load them.
      Alert: { defaultProps: { p: 'sm' } },
      Badge: { defaultProps: { tt: 'none' } },
      Drawer: {
        defaultProps: {
          closeButtonProps: { 'aria-label': names.close },
          transitionProps: { exitDuration: 0 },
        },
      },
      Notification: {
        defaultProps: { closeButtonProps: { 'aria-label': names.close, ref: passFocusOn } },
      },
      // The list itself scrolls (style.css): what scrolls around it would have to take the focus.
      Select: { defaultProps: { withScrollArea: false } },
      MultiSelect: { defaultProps: { withScrollArea: false } },
      // Announced to screen readers when it appears, as it may come from the server later.
      InputError: { defaultProps: { role: 'alert' } },
      InputClearButton: { defaultProps: { 'aria-label': names.clear } },
      // Mantine adds focus elements that are not allowed as children of a menu (WAI-ARIA 1.2, "menu").
      Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
      // A landmark of its own, because all content of a page must be in a landmark.
      Portal: Portal.extend({ defaultProps: { target: '#overlays' } }),
    },
  });

/** Mantine's soft colors have too little contrast (WCAG 2.2, success criterion 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--gatehouse-row': rem(38), '--gatehouse-header': rem(headerHeight) },
  light: {
    '--mantine-color-dimmed': '#5b5e68',
    '--mantine-color-placeholder': '#696d78',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#d5d7dd',
    '--mantine-color-teal-light': '#e8f5f3',
    '--mantine-color-teal-light-hover': '#d9eeeb',
    '--mantine-color-teal-light-color': '#0f6a63',
    '--mantine-color-red-light': '#fdf0ef',
    '--mantine-color-red-light-hover': '#fbdedc',
    '--mantine-color-red-light-color': '#b3261e',
    '--mantine-color-gray-light': '#f3f4f6',
    '--gatehouse-line': '#e8e9ed',
    '--gatehouse-sunken': '#f8f8fa',
    '--gatehouse-good': '#16803c',
    '--gatehouse-attention': '#c27803',
    '--gatehouse-attention-soft': '#fdf3df',
    '--gatehouse-attention-text': '#80500a',
    '--gatehouse-bad': '#cf3a30',
    '--gatehouse-neutral': '#8a8f9b',
  },
  dark: {
    '--mantine-color-dimmed': '#a9acb5',
    '--mantine-color-placeholder': '#90949f',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-anchor': '#5eead4',
    '--mantine-color-teal-light': '#17302d',
    '--mantine-color-teal-light-hover': '#1b3a36',
    '--mantine-color-teal-light-color': '#5eead4',
    '--mantine-color-teal-text': '#5eead4',
    '--mantine-color-red-light': '#34201f',
    '--mantine-color-red-light-hover': '#402625',
    '--mantine-color-red-light-color': '#ff9d94',
    '--mantine-color-red-text': '#ff9d94',
    '--mantine-color-gray-light': '#26272c',
    '--gatehouse-line': '#2a2b30',
    '--gatehouse-sunken': '#17181b',
    '--gatehouse-good': '#3fb96b',
    '--gatehouse-attention': '#e5a93b',
    '--gatehouse-attention-soft': '#33291a',
    '--gatehouse-attention-text': '#f0c06a',
    '--gatehouse-bad': '#f0716a',
    '--gatehouse-neutral': '#7d818c',
  },
});
