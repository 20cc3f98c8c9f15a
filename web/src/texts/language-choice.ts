/** The texts of the choice of the page's language. */

export const languageChoice = {
  label: 'Language',
  hint: 'The page reloads when you change it. The music of your room resumes.',
}
