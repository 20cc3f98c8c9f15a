/** Joins the class names that are given; leaves out what is false or missing. */
export function joinClasses(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
