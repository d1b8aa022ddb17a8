/** Why a picture of a question is refused. Without the schemas beside it, which the portal does not load. */
export const IMAGE_FAULTS = [
  'not_an_image',
  'image_too_large',
  'image_damaged',
  'image_dimensions',
  'png_interlaced',
  'not_an_svg',
  'svg_too_complex',
  'svg_declaration',
  'svg_element',
  'svg_attribute',
  'svg_reference',
  'svg_style',
] as const;
