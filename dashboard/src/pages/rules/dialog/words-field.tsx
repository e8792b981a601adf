import { TagsInput, type TagsInputProps } from '@mantine/core';

interface WordsFieldProps
  extends Pick<TagsInputProps, 'label' | 'description' | 'error' | 'maxTags' | 'name'> {
  value: string[];
  onChange: (words: string[]) => void;
}

/** A list of words without spaces, which may be entered or pasted at once. */
export function WordsField({ onChange, ...props }: WordsFieldProps) {
  return (
    <TagsInput
      {...props}
      onChange={(tags) =>
        onChange([...new Set(tags.flatMap((tag) => tag.split(separators)))].filter(Boolean))
      }
      splitChars={[',', ' ']}
    />
  );
}

const separators = /[\s,]+/;
